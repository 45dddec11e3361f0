import { categories } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { timestampOf } from '../../domain/time.ts'
import { deploymentAddress, profileAddress } from '../page/address.ts'
import type { Site } from '../page/site.ts'
import { type Channel, titleOf } from './channel.ts'
import { xml } from './xml.ts'

/** When a channel without entries was updated: a time is required, and it must not change by itself. */
const never = '1970-01-01T00:00:00Z'

/** A channel as an Atom feed (RFC 4287). */
export function atomOf(site: Site, { title, page, self, older, deployments }: Channel): string {
  const [newest] = deployments
  const updated = newest === undefined ? never : timestampOf(newest.deployedAt)
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${xml(self)}</id>
  <title>${xml(title)}</title>
  <updated>${updated}</updated>
  <link rel="self" type="application/atom+xml" href="${xml(self)}"/>
  <link rel="alternate" type="text/html" href="${xml(page)}"/>
${older === null ? '' : `  <link rel="next" type="application/atom+xml" href="${xml(older)}"/>\n`}${deployments.map((deployment) => entryOf(site, deployment)).join('')}</feed>
`
}

function entryOf({ baseUrl }: Site, deployment: Deployment): string {
  const { message, url, category, deployedAt, poster } = deployment
  const page = xml(baseUrl + deploymentAddress(deployment))
  const profile = baseUrl + profileAddress(poster.username, { target: null, category: null })
  const at = timestampOf(deployedAt)
  return `  <entry>
    <id>${page}</id>
    <title>${xml(titleOf(message))}</title>
    <published>${at}</published>
    <updated>${at}</updated>
    <author><name>${xml(poster.name)}</name><uri>${xml(profile)}</uri></author>
    <link rel="alternate" type="text/html" href="${page}"/>
${url === null ? '' : `    <link rel="related" href="${xml(url)}"/>\n`}${category === null ? '' : `    <category term="${category}" label="${categories[category]}"/>\n`}    <content type="text">${xml(message)}</content>
  </entry>
`
}
