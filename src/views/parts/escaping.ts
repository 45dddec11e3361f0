import { Html } from '@elysiajs/html'

/**
 * Escapes a text for an element or an attribute's value. Kita escapes only the quote in an attribute, so the browser
 * would read `&copy;` in a posted link or a typed name as a different text.
 */
export function escaped(text: string): string {
  return Html.escapeHtml(text)
}
