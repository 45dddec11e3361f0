import { Html } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import { type Headline, headlineOf } from '../../domain/message/headline.ts'
import { plainTitle } from '../../domain/message/headline-pieces.ts'
import { cardSize } from '../card/parts.tsx'
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
  title: string
  description: string
  /** The public address of the page, whose picture is below it. */
  address: string
  type?: 'article' | 'profile' | 'website'
}

/** The tags from which chats and timelines make the preview of a page. */
export function OpenGraph({ title, description, address, type = 'article' }: Props): JSX.Element {
  return (
    <>
      <meta property="og:site_name" content="Shipfeed" />
      <meta property="og:type" content={type} />
      <meta property="og:title" content={escaped(title)} />
      <meta property="og:description" content={escaped(description)} />
      <meta property="og:url" content={escaped(address)} />
      <meta property="og:image" content={escaped(`${address}/card.png`)} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content={String(cardSize.width)} />
      <meta property="og:image:height" content={String(cardSize.height)} />
      <meta property="og:image:alt" content={escaped(title)} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}
