import { categories } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { timestampOf } from '../../domain/time.ts'
import { deploymentAddress, profileAddress } from '../page/address.ts'
import type { Site } from '../page/site.ts'
import { escaped } from '../parts/escaping.ts'
import { type Channel, contentOf, feedTitleOf, linkOf } from './channel.ts'

/** A channel as an Atom feed (RFC 4287). */
export function atomOf(site: Site, { title, page, self, older, updated, deployments }: Channel): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${xml(self)}</id>
  <title>${xml(title)}</title>
  <updated>${timestampOf(updated)}</updated>
  <link rel="self" type="application/atom+xml" href="${xml(self)}"/>
  <link rel="alternate" type="text/html" href="${xml(page)}"/>
${older === null ? '' : `  <link rel="next" type="application/atom+xml" href="${xml(older)}"/>\n`}${deployments.map((deployment) => entryOf(site, deployment)).join('')}</feed>
`
}

function entryOf({ baseUrl }: Site, deployment: Deployment): string {
  const { message, category, deployedAt, poster } = deployment
  const link = linkOf(deployment)
  const page = xml(baseUrl + deploymentAddress(deployment))
  const profile = baseUrl + profileAddress(poster.username, { target: null, category: null })
  const at = timestampOf(deployedAt)
  return `  <entry>
    <id>${page}</id>
    <title>${xml(feedTitleOf(message))}</title>
    <published>${at}</published>
    <updated>${at}</updated>
    <author><name>${xml(poster.name)}</name><uri>${xml(profile)}</uri></author>
    <link rel="alternate" type="text/html" href="${page}"/>
${link === null ? '' : `    <link rel="related" href="${xml(link)}"/>\n`}${category === null ? '' : `    <category term="${category}" label="${categories[category]}"/>\n`}    <content type="html">${xml(contentOf(deployment))}</content>
  </entry>
`
}

/** The characters that XML 1.0 cannot contain, not even as references. */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** A parser would read these as a line feed, or as a space in an attribute. */
const whiteSpace: Readonly<Record<string, string>> = { '\r': '&#13;', '\n': '&#10;', '\t': '&#9;' }

/** Escapes a text for XML 1.0, as content or attribute; characters that XML cannot contain become U+FFFD. */
function xml(text: string): string {
  return escaped(text.replace(impossible, '\ufffd')).replace(
    /[\r\n\t]/g,
    (character) => whiteSpace[character] ?? character,
  )
}
