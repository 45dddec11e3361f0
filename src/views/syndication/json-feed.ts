import type { Deployment } from '../../domain/deployment.ts'
import { timestampOf } from '../../domain/time.ts'
import { deploymentAddress, profileAddress } from '../page/address.ts'
import type { Site } from '../page/site.ts'
import { type Channel, contentOf, feedTitleOf, linkOf } from './channel.ts'

/** A channel as a JSON Feed (https://jsonfeed.org/version/1.1). */
export function jsonFeedOf(site: Site, { title, page, self, older, deployments }: Channel): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: page,
    feed_url: self,
    ...(older === null ? {} : { next_url: older }),
    language: 'en',
    items: deployments.map((deployment) => itemOf(site, deployment)),
  })
}

function itemOf({ baseUrl }: Site, deployment: Deployment) {
  const { message, category, deployedAt, poster } = deployment
  const link = linkOf(deployment)
  const page = baseUrl + deploymentAddress(deployment)
  const profile = baseUrl + profileAddress(poster.username, { target: null, category: null })
  return {
    id: page,
    url: page,
    ...(link === null ? {} : { external_url: link }),
    title: feedTitleOf(message),
    content_text: message,
    content_html: contentOf(deployment),
    date_published: timestampOf(deployedAt),
    authors: [{ name: poster.name, url: profile }],
    ...(category === null ? {} : { tags: [category] }),
  }
}
