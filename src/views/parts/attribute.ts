import { Html } from '@elysiajs/html'

/**
 * Escapes text for an attribute's value. Kita escapes only the quote there, so the browser would read
 * `&copy;` in a posted link or a typed name as another text.
 */
export function attribute(text: string): string {
  return Html.escapeHtml(text)
}
