import { timestampOf } from '../../domain/time.ts'
import { escaped } from './markup.ts'

/** A list for feed readers. All addresses are absolute. */
type AtomFeed = {
  readonly title: string
  /** The page that shows the same list. */
  readonly page: string
  readonly self: string
  /** Null if there is no older part. */
  readonly older: string | null
  readonly updated: Date
}

export type AtomEntry = {
  /** Its permanent address, which is also its id. */
  readonly page: string
  readonly title: string
  readonly published: Date
  readonly updated: Date
  readonly author: { readonly name: string; readonly uri: string }
  readonly related?: string | null
  readonly category?: { readonly term: string; readonly label: string } | null
  /** HTML. */
  readonly content: string
}

/** An Atom feed (RFC 4287). */
export function atomFeed({ title, page, self, older, updated }: AtomFeed, entries: readonly AtomEntry[]) {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${xml(self)}</id>
  <title>${xml(title)}</title>
  <updated>${timestampOf(updated)}</updated>
  <link rel="self" type="application/atom+xml" href="${xml(self)}"/>
  <link rel="alternate" type="text/html" href="${xml(page)}"/>
${older === null ? '' : `  <link rel="next" type="application/atom+xml" href="${xml(older)}"/>\n`}${entries.map(atomEntry).join('')}</feed>
`
}

function atomEntry(entry: AtomEntry): string {
  const { page, title, published, updated, author, related = null, category = null, content } = entry
  return `  <entry>
    <id>${xml(page)}</id>
    <title>${xml(title)}</title>
    <published>${timestampOf(published)}</published>
    <updated>${timestampOf(updated)}</updated>
    <author><name>${xml(author.name)}</name><uri>${xml(author.uri)}</uri></author>
    <link rel="alternate" type="text/html" href="${xml(page)}"/>
${related === null ? '' : `    <link rel="related" href="${xml(related)}"/>\n`}${category === null ? '' : `    <category term="${category.term}" label="${category.label}"/>\n`}    <content type="html">${xml(content)}</content>
  </entry>
`
}

/** The characters that XML 1.0 cannot contain, not even as references. */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** A parser would read these as a line feed, or as a space in an attribute. */
const whiteSpace: Readonly<Record<string, string>> = { '\r': '&#13;', '\n': '&#10;', '\t': '&#9;' }

/** Escapes a text for XML 1.0, as content or attribute; characters that XML cannot contain become U+FFFD. */
function xml(text: string): string {
  const possible = escaped(text.replace(impossible, '\ufffd'))
  return possible.replace(/[\r\n\t]/g, (character) => whiteSpace[character] ?? character)
}
