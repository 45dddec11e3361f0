import { Html } from '@elysiajs/html'

/**
 * Text for an attribute's value. Kita escapes only the quote there, so `&copy;` inside a posted link
 * or a typed name would come out of the browser's parser as another text.
 */
export function attribute(text: string): string {
  return Html.escapeHtml(text)
}
