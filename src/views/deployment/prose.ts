import { isBlank } from '../../domain/field-parsing.ts'
import { withEmoji } from '../../domain/message/gitmoji.ts'
import { isHonest, linked } from '../parts/linked-text.tsx'
import { escaped } from '../parts/markup.ts'

/** In characters. Nearly all requests are for the newest entries, and parsing was half of their cost. */
const maxKept = 2_000_000
const kept = new Map<string, string>()
let keptCharacters = 0

/**
 * The text of a message as markup. Of Markdown, it shows links, code, emphasis, lists and headings; anything else,
 * and HTML above all, stays text as it was sent. Addresses become links as `linked` makes them.
 */
export function Prose({ text }: { text: string }): JSX.Element {
  const known = kept.get(text)
  if (known !== undefined) return known
  const markup = drawn(text)
  keptCharacters += text.length + markup.length
  if (keptCharacters > maxKept) {
    kept.clear()
    keptCharacters = text.length + markup.length
  }
  kept.set(text, markup)
  return markup
}

function drawn(text: string): string {
  const markup =
    !hasMarkdown.test(text) || isTooDeep.test(text)
      ? paragraphsOf(text)
      : Bun.markdown.render(text.replaceAll(']:', `]${mark}:`), elements, options).replaceAll(mark, '')
  const linked = markup.includes('://') ? withLinks(markup) : markup
  return linked.replace(pieces, (piece) => (piece.startsWith('<') ? piece : withEmoji(piece)))
}

/** A text without any of these characters in these places needs no parser: the result would be the same. */
const hasMarkdown = /[*_`[\\&]|^[ \t]*(?:[-+=>#~]|\d{1,9}[.)])|^(?: {4}| {0,3}\t)/m

/** Seven marks of lists and quotations in one line. A browser takes long to lay out a list a hundred levels deep. */
const isTooDeep = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){7}/m

/** A noncharacter that makes definitions of links stay text: they could repeat a long address a thousand times. */
const mark = '\uFFFE'

const options: Bun.markdown.Options = {
  noHtmlBlocks: true,
  noHtmlSpans: true,
  tables: false,
  tasklists: false,
  strikethrough: false,
}

const elements: Bun.markdown.RenderCallbacks = {
  text: escaped,
  html: escaped,
  emphasis: (inner) => `<em>${inner}</em>`,
  strong: (inner) => `<strong>${inner}</strong>`,
  codespan: (inner) => `<code>${inner}</code>`,
  link: (inner, { href }) => namedLink(withoutLinks(inner), href) ?? `[${inner}](${escaped(href)})`,
  image: (alt, { src }) => namedLink(withoutLinks(alt), src) ?? `![${alt}](${escaped(src)})`,
  paragraph: (inner) => `<p>${withBreaks(inner)}</p> `,
  // A heading of a message is not a heading of the page.
  heading: (inner) => `<p class="heading">${inner}</p> `,
  blockquote: (inner) => inner.replace('<p>', '<p>&gt; '),
  code: (inner) => (isBlank(inner) ? '' : `<pre><code>${inner.trimEnd()}</code></pre> `),
  list: (items, { ordered, start = 1 }) =>
    ordered
      ? ` <ol dir="auto"${start === 1 ? '' : ` start="${start}"`}>${items}</ol> `
      : ` <ul dir="auto">${items}</ul> `,
  listItem: (inner) => `<li>${withBreaks(inner)}</li> `,
  hr: () => '',
}

/** A link with a name; null if it does not lead to a page, or its name is another address. */
function namedLink(name: string, address: string): string | null {
  if (!/^https?:\/\/[^\s<>"`]+$/i.test(address) || !isHonest(address)) return null
  const href = escaped(address)
  if (isBlank(name)) return `<a href="${href}" rel="nofollow ugc noreferrer">${href}</a>`
  if (/:\/\/|\bwww\./i.test(name) && name !== href) return null
  return `<a href="${href}" rel="nofollow ugc noreferrer">${name}</a>`
}

/** The name of a link without links: a picture in it has become a link, and links cannot be nested. */
function withoutLinks(markup: string): string {
  return markup.includes('<a ') ? markup.replace(/<\/?a\b[^<>]*>/g, '') : markup
}

function paragraphsOf(text: string): string {
  return text
    .split(/\n\n+/)
    .map(
      (paragraph) => `<p>${withBreaks(escaped(paragraph.replace(/^[ \t]+|(?<![ \t])[ \t]+$/gm, '')))}</p> `,
    )
    .join('')
}

/** In characters: editors break lines at 72, and some people break them earlier. */
const minWrapped = 60

const tag = /<[^<>]*>/g

/** Drops the line breaks that an editor made because the next word would not have fit. */
function withBreaks(markup: string): string {
  const block = markup.search(/<(?:p|ul|ol|pre)\b/)
  const text = block === -1 ? markup : markup.slice(0, block)
  if (!text.includes('\n')) return markup
  const lines = text.split('\n')
  const widths = lines.map((line) => line.replace(tag, '').replace(/&[^&;]*;/g, ' ').length)
  const broken = lines.map((line, n) => {
    if (n === 0) return line
    const [word = ''] = /^\S*/.exec((lines[n] as string).replace(tag, '')) ?? []
    const isWrapped = (widths[n - 1] as number) + ' '.length + word.length > minWrapped
    return `\n${isWrapped ? '' : '<br>'}${line}`
  })
  return broken.join('') + markup.slice(text.length)
}

/** Links and code, which have no further links in them, other tags, and the text in between. */
const pieces = /<a (?:[^<]|<(?!a ))*?<\/a>|<code>[^<]*<\/code>|<[^<>]*>|[^<]+/g

function withLinks(markup: string): string {
  return markup.replace(pieces, (piece) =>
    piece.startsWith('<') || !piece.includes('://') ? piece : String(linked(unescaped(piece))),
  )
}

const escapes: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

function unescaped(markup: string): string {
  return markup.replace(/&(?:amp|lt|gt|quot|#x27);/g, (found) => escapes[found] as string)
}
