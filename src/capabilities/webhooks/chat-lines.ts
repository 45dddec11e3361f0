import { type Deployment, pageOf } from '../../domain/deployment.ts'
import { projectOf } from '../../domain/link.ts'
import { headlineOf } from '../../domain/message/headline.ts'
import { type Piece, piecesOf } from '../../domain/message/headline-pieces.ts'
import { compareReplaced } from '../../domain/release/comparison.ts'
import { nameOfRelease } from '../../domain/release/release.ts'
import type { Composition, Content, WebhookEvent } from './rules.ts'

/** `subject` and `details` are texts of users, cut but not escaped. */
export type ChatLine = {
  /** "Test: " or empty. */
  readonly mark: string
  /** What was deployed: "engine v2.4.0 → production". */
  readonly subject: string
  readonly details: readonly Piece[]
  /** Null for a withdrawn one. */
  readonly page: string | null
  /** The page of the forge that shows what changed; null if there is none. */
  readonly compare: string | null
}

/** In characters. A headline may be cut shorter, so that a message fits. */
const longest = { project: 100, version: 60, environment: 64, name: 60, headline: 300, compare: 300 } as const

function chatLine(
  event: WebhookEvent,
  { baseUrl, isTest }: Composition,
  headlineCharacters: number,
): ChatLine {
  const mark = isTest ? 'Test: ' : ''
  if (event.kind === 'withdrawn') {
    const details = piecesOf(` of ${event.username} was withdrawn`)
    return { mark, subject: `deployment ${event.deploymentId}`, details, page: null, compare: null }
  }
  const { message, environment, poster } = event.deployment
  const compare = compareReplaced(event.deployment)
  const release = releaseIn(event.deployment)
  const { prefix, subject, suffix } = headlineOf(message)
  const what = [
    plain(projectOf(event.deployment)?.name ?? poster.username, longest.project),
    ...(release === null ? [] : [release]),
    ...(environment === undefined ? [] : ['→', plain(environment, longest.environment)]),
  ]
  const headline = plain(`${prefix}${subject}${suffix}`, headlineCharacters)
  const by = ` by ${byIn(event.deployment)}`
  return {
    mark,
    subject: what.join(' '),
    details: [{ text: headline === '' ? by : `${by}: `, isCode: false }, ...piecesOf(headline)],
    page: pageOf(event.deployment, baseUrl),
    compare: compare !== null && compare.length <= longest.compare ? compare : null,
  }
}

/** "Ada" or, if somebody else started it, "grace (Ada)". */
function byIn({ actor, poster }: Deployment): string {
  const name = plain(poster.name, longest.name)
  const isSame = [poster.name, poster.username].some((own) => own.toLowerCase() === actor?.toLowerCase())
  return actor === undefined || isSame ? name : `${plain(actor, longest.name)} (${name})`
}

/** "v2.4.0", or "back to v2.3.0"; null if there is nothing to say. */
function releaseIn(deployment: Deployment): string | null {
  const isBack = deployment.replaced?.step === 'back'
  const name = isBack ? nameOfRelease(deployment) : deployment.version
  return name ? `${isBack ? 'back to ' : ''}${plain(name, longest.version)}` : null
}

/**
 * A text on one line that mentions nobody and keeps the direction of the text around it: bidi controls are
 * left out, and an invisible character follows each sign that starts a mention or a link.
 */
function plain(text: string, characters: number): string {
  const readable = text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
  const cut = [...readable.replace(/[\s\p{Cc}]+/gu, ' ')]
  const kept = cut.length > characters ? [...cut.slice(0, Math.max(0, characters - 1)), '…'] : cut
  return (
    kept
      .join('')
      .replace(/[@＠﹫]/g, (at) => `${at}\u200b`)
      // Backticks around code are left out later.
      .replace(/<(?=`*[!@#&:a-z/])/gi, '<\u200b')
  )
}

const maxLines = 20

/** Makes the function that joins as many events as fit into `limit`; a single one gets a shorter headline. */
export function joined<Body>(
  limit: number,
  bodyOf: (lines: readonly ChatLine[], url: string) => Body,
  sizeOf: (body: Body) => number,
): (composition: Composition) => Content {
  return (composition) => {
    const { events, url } = composition
    const withHeadlines = (count: number, characters: number) => {
      const lines = events.slice(0, count).map((event) => chatLine(event, composition, characters))
      return bodyOf(lines, url)
    }
    for (let count = Math.min(events.length, maxLines); count > 0; count -= 1) {
      const body = withHeadlines(count, longest.headline)
      if (sizeOf(body) <= limit) return { body, events: count }
    }
    const shorter = [100, 30].map((characters) => withHeadlines(1, characters))
    return { body: shorter.find((body) => sizeOf(body) <= limit) ?? withHeadlines(1, 0), events: 1 }
  }
}

export type ChatMarkup = {
  readonly text: (text: string) => string
  readonly code: (text: string) => string
  readonly link: (text: string, address: string) => string
}

/** Plain text, in which the address of a link follows the text of the link. */
const plainMarkup: ChatMarkup = {
  text: (text) => text,
  code: (text) => text,
  link: (text, address) => `${text} (${address})`,
}

/** The lines of a message in the markup of a service, or in plain text. */
export function written(lines: readonly ChatLine[], { text, code, link }: ChatMarkup = plainMarkup): string {
  const bullet = lines.length > 1 ? '• ' : ''
  return lines
    .map(({ mark, subject, details, page, compare }) => {
      const linked = page === null ? text(subject) : link(text(subject), page)
      const said = details.map((piece) => (piece.isCode ? code(piece.text) : text(piece.text)))
      const compared = compare === null ? '' : ` · ${link('Compare', compare)}`
      return `${bullet}${mark}${linked}${said.join('')}${compared}`
    })
    .join('\n')
}

/** The title of a message: what was deployed, or how many. */
export function titleOf(lines: readonly ChatLine[]): string {
  const [{ mark, subject } = { mark: '', subject: '' }] = lines
  return `${mark}${lines.length === 1 ? subject : `${lines.length} deployments`}`
}

/** The page of the event that a message is about; null if there are several events, or no page. */
export function onlyPage(lines: readonly ChatLine[]): string | null {
  return lines.length === 1 ? (lines[0]?.page ?? null) : null
}
