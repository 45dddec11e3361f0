import { Html } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import { type Headline, headlineOf } from '../../domain/message/headline.ts'
import { plainTitle } from '../../domain/message/headline-pieces.ts'
import type { Site } from '../page/site.ts'
import { dayInWords } from '../parts/dates.ts'
import { escaped } from '../parts/markup.ts'
import { forgeAndName } from '../parts/readable-address.ts'

const titleLength = 120
const descriptionLength = 200

/** The first line of the message, for tabs and link previews. */
export function previewTitle(headline: Headline): string {
  return beginningOf(plainTitle(headline), titleLength)
}

/** The poster, the project and the date, and then the rest of the message. */
export function previewDescription(
  { poster, deployedAt }: Deployment,
  target: string | null,
  { body }: Headline,
): string {
  const what = target === null ? 'this' : forgeAndName(target).name
  const said = `${poster.name} deployed ${what} on ${dayInWords(deployedAt)}. ${body}`
  return beginningOf(said, descriptionLength)
}

/** The latest deployment with its date, for the page of a list; null if the list is empty. */
export function latestIn({ deployments: [latest] }: { deployments: readonly Deployment[] }): string | null {
  if (latest === undefined) return null
  const title = previewTitle(headlineOf(latest.message))
  return beginningOf(`Deployed on ${dayInWords(latest.deployedAt)}: ${title}`, descriptionLength)
}

/** In one line, and cut between characters. */
function beginningOf(text: string, length: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : characters.join('')
}

type Props = {
  site: Site
  title: string
  description: string
  /** The public address of the page. */
  address: string
  /** The public address of the page whose picture it has, if that is another one. */
  pictured?: string
  type?: 'article' | 'profile' | 'website'
}

/** The tags from which chats and timelines make the preview of a page. */
export function OpenGraph(props: Props): JSX.Element {
  const { site, title, description, address, pictured = address, type = 'article' } = props
  return (
    <>
      <meta property="og:site_name" content="Shipfeed" />
      <meta property="og:type" content={type} />
      <meta property="og:title" content={escaped(title)} />
      <meta property="og:description" content={escaped(description)} />
      <meta property="og:url" content={escaped(address)} />
      {site.slots.inPreview({ title, address: pictured })}
    </>
  )
}
