import { pageOf } from '../deployment.ts'
import { headlineOf } from '../headline.ts'
import { projectOf } from '../link.ts'
import type { Composition, WebhookEvent } from './webhook.ts'

/** The parts of an event in a chat message. All but `page` are texts of users, cut but not escaped. */
export type ChatLine = {
  /** What was deployed: "engine v2.4.0 → production". */
  readonly subject: string
  /** Who deployed it, and the first line of their message. */
  readonly details: string
  /** Its permanent page; null for a withdrawn one, which has none. */
  readonly page: string | null
}

/** The longest parts, in characters. A headline may be cut shorter, so that a message fits. */
const longest = { project: 100, version: 60, environment: 64, name: 60, headline: 300 } as const

/** The parts of an event for a chat message. */
function chatLine(event: WebhookEvent, baseUrl: string, headlineCharacters: number): ChatLine {
  if (event.kind === 'withdrawn') {
    return {
      subject: `deployment ${event.deploymentId}`,
      details: ` of ${event.username} was withdrawn`,
      page: null,
    }
  }
  const { deployment } = event
  const { message, url, version, environment, poster } = deployment
  const { prefix, subject, suffix } = headlineOf(message)
  const what = [
    plain(projectOf(url)?.name ?? poster.username, longest.project),
    ...(version === undefined ? [] : [plain(version, longest.version)]),
    ...(environment === undefined ? [] : ['→', plain(environment, longest.environment)]),
  ]
  const headline = plain(`${prefix}${subject}${suffix}`, headlineCharacters)
  const by = ` by ${plain(poster.name, longest.name)}`
  return {
    subject: what.join(' '),
    details: headline === '' ? by : `${by}: ${headline}`,
    page: pageOf(deployment, baseUrl),
  }
}

/**
 * A text on one line that cannot mention anybody and cannot change the direction of the text around it: bidi controls
 * are left out, and an invisible character follows each sign that starts a mention or a link of a chat service.
 */
function plain(text: string, characters: number): string {
  const readable = text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
  const cut = [...readable.replace(/[\s\p{Cc}]+/gu, ' ')]
  const kept = cut.length > characters ? [...cut.slice(0, Math.max(0, characters - 1)), '…'] : cut
  return kept
    .join('')
    .replace(/[@＠﹫]/g, (at) => `${at}\u200b`)
    .replace(/<(?=[!@#&:a-z/])/gi, '<\u200b')
}

/** How many events one chat message has at most. */
const mostLines = 20

/**
 * Joins as many events as fit into one message, of which `sizeOf` must be at most `limit`. If one alone does
 * not fit, its headline is cut.
 */
export function fitting<Body>(
  { events, baseUrl }: Composition,
  limit: number,
  bodyOf: (lines: readonly ChatLine[]) => Body,
  sizeOf: (body: Body) => number,
): { readonly body: Body; readonly events: number } {
  const withHeadlines = (count: number, characters: number) =>
    bodyOf(events.slice(0, count).map((event) => chatLine(event, baseUrl, characters)))
  for (let count = Math.min(events.length, mostLines); count > 1; count -= 1) {
    const body = withHeadlines(count, longest.headline)
    if (sizeOf(body) <= limit) return { body, events: count }
  }
  for (const characters of [longest.headline, 100, 30]) {
    const body = withHeadlines(1, characters)
    if (sizeOf(body) <= limit) return { body, events: 1 }
  }
  return { body: withHeadlines(1, 0), events: 1 }
}

/** How a service writes text and links. */
export type ChatMarkup = {
  readonly text: (text: string) => string
  readonly link: (text: string, address: string) => string
}

/** The lines of a message in the markup of a service. */
export function written(lines: readonly ChatLine[], { text, link }: ChatMarkup, isTest: boolean): string {
  const bullet = lines.length > 1 ? '• ' : ''
  const test = isTest ? 'Test: ' : ''
  return lines
    .map(({ subject, details, page }) => {
      const linked = page === null ? text(subject) : link(text(subject), page)
      return `${bullet}${test}${linked}${text(details)}`
    })
    .join('\n')
}

/** Plain text, in which the address of a link follows the text of the link. */
export const plainMarkup: ChatMarkup = {
  text: (text) => text,
  link: (text, address) => `${text} (${address})`,
}

/** The title of a message: what was deployed, or how many. */
export function titleOf(lines: readonly ChatLine[], isTest: boolean): string {
  const title = lines.length === 1 ? (lines[0]?.subject ?? '') : `${lines.length} deployments`
  return isTest ? `Test: ${title}` : title
}
