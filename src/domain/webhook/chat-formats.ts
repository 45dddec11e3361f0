import type { ChatLine, ChatMarkup } from './chat-lines.ts'
import { fitting, plainMarkup, titleOf, written } from './chat-lines.ts'
import type { Addressee, Composition, Content, MessageRequest } from './webhook.ts'

/**
 * The characters that Slack and similar services read as markup and that cannot be escaped, each with a lookalike that
 * replaces it. An underscore is markup only at the edge of a word.
 */
const lookalikes: Readonly<Record<string, string>> = {
  _: 'ˍ',
  '*': '∗',
  '~': '∼',
  '`': 'ˋ',
  '|': '¦',
  '[': '［',
  ']': '］',
}

function forSlack(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return escaped.replace(
    /[*~`|[\]]|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu,
    (signs) => lookalikes[signs.charAt(0)]?.repeat(signs.length) ?? signs,
  )
}

const slackMarkup: ChatMarkup = { text: forSlack, link: (text, address) => `<${address}|${text}>` }

/** Incoming webhooks of Slack, Mattermost, Rocket.Chat, Google Chat and Zulip (its Slack-compatible address). */
export function slack(composition: Composition): Content {
  const { isTest } = composition
  const { body, events } = fitting(
    composition,
    5_000,
    (lines) => written(lines, slackMarkup, isTest),
    characters,
  )
  return { body: { text: body }, events }
}

/** In Discord, a backslash escapes any ASCII sign. */
const discordMarkup: ChatMarkup = {
  text: (text) => text.replace(/[\\*_~`|>[\]()<#:@-]/g, '\\$&'),
  // It does not know escaped brackets in the text of a link.
  link: (text, address) =>
    `[${text.replace(/\\([[\]])/g, (_, sign) => lookalikes[sign] ?? '')}](<${address}>)`,
}

/** Webhooks of Discord. `allowed_mentions` without kinds keeps texts from notifying anybody. */
export function discord(composition: Composition): Content {
  const { isTest } = composition
  const { body, events } = fitting(
    composition,
    2_000,
    (lines) => written(lines, discordMarkup, isTest),
    characters,
  )
  return { body: { content: body, allowed_mentions: { parse: [] } }, events }
}

/** Workflows of Teams take a message with an Adaptive Card of at most 28 KB, as UTF-8 or as UTF-16. */
export function teams(composition: Composition): Content {
  const { body, events } = fitting(
    composition,
    26_000,
    (lines) => cardOf(lines, composition.isTest),
    (card) => Math.max(bytesOfJson(card), 2 * JSON.stringify(card).length),
  )
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', content: body }
  return { body: { type: 'message', attachments: [attachment] }, events }
}

/** In the runs of a RichTextBlock, text is not read as Markdown. */
function cardOf(lines: readonly ChatLine[], isTest: boolean) {
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: lines.map(({ subject, details, page }) => ({
      type: 'RichTextBlock',
      inlines: [
        ...(isTest ? [{ type: 'TextRun', text: 'Test: ' }] : []),
        {
          type: 'TextRun',
          text: subject,
          weight: 'bolder',
          ...(page === null ? {} : { selectAction: { type: 'Action.OpenUrl', url: page } }),
        },
        { type: 'TextRun', text: details },
      ],
    })),
  }
}

function forHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return escaped.replaceAll('"', '&quot;')
}

const htmlMarkup: ChatMarkup = {
  text: forHtml,
  link: (text, address) => `<a href="${forHtml(address)}">${text}</a>`,
}

/**
 * The client-server API of Matrix, whose events have at most 64 KB. An empty `m.mentions` keeps texts from notifying
 * anybody.
 */
export function matrix(composition: Composition): Content {
  const { isTest } = composition
  const bodyOf = (lines: readonly ChatLine[]) => ({
    msgtype: 'm.notice',
    body: written(lines, plainMarkup, isTest),
    format: 'org.matrix.custom.html',
    formatted_body: written(lines, htmlMarkup, isTest).replaceAll('\n', '<br>'),
    'm.mentions': {},
  })
  return fitting(composition, 30_000, bodyOf, bytesOfJson)
}

/** A Matrix server drops a message whose id it has seen. */
export function matrixRequest({ url, token, messageId }: Addressee): Partial<MessageRequest> {
  return { method: 'PUT', url: `${url.replace(/\/$/, '')}/${messageId}`, headers: bearer(token) }
}

/** ntfy takes JSON at its root, with the topic in it. It would turn a longer message into a file. */
export function ntfy(composition: Composition): Content {
  const { isTest } = composition
  const { topic } = ntfyAddress(composition.url)
  const bodyOf = (lines: readonly ChatLine[]) => {
    const page = onlyPage(lines)
    return {
      topic,
      title: titleOf(lines, isTest),
      message: written(lines, plainMarkup, isTest),
      tags: ['rocket'],
      ...(page === null ? {} : { click: page }),
    }
  }
  return fitting(composition, 4_000, bodyOf, ({ message }) => Buffer.byteLength(message))
}

export function ntfyRequest({ url, token }: Addressee): Partial<MessageRequest> {
  return { url: ntfyAddress(url).root, headers: bearer(token) }
}

/** The topic is the last segment of the address that people subscribe to. */
function ntfyAddress(address: string): { readonly root: string; readonly topic: string } {
  const url = new URL(address)
  const [, root = '/', topic = ''] = /^(.*\/)([^/]+)\/?$/.exec(url.pathname) ?? []
  url.pathname = root
  return { root: url.href, topic }
}

/** `POST /message` of Gotify. */
export function gotify(composition: Composition): Content {
  const { isTest } = composition
  const bodyOf = (lines: readonly ChatLine[]) => {
    const page = onlyPage(lines)
    const click = page === null ? {} : { extras: { 'client::notification': { click: { url: page } } } }
    return {
      title: titleOf(lines, isTest),
      message: written(lines, plainMarkup, isTest),
      priority: 4,
      ...click,
    }
  }
  return fitting(composition, 20_000, bodyOf, bytesOfJson)
}

export function gotifyRequest({ token }: Addressee): Partial<MessageRequest> {
  return token === null ? {} : { headers: { 'X-Gotify-Key': token } }
}

/**
 * `POST /notify/<key>` of Apprise, which passes it on to any of a hundred services. The limit is that of Discord. The
 * title counts too, because Apprise puts it above the text for services without titles.
 */
export function apprise(composition: Composition): Content {
  const { isTest } = composition
  const bodyOf = (lines: readonly ChatLine[]) => {
    const body = written(lines, plainMarkup, isTest)
    return { title: titleOf(lines, isTest), body, type: 'success', format: 'text' }
  }
  return fitting(composition, 1_990, bodyOf, ({ title, body }) => characters(title) + characters(body))
}

/** The page of the event that a message is about; null if there are several events, or no page. */
function onlyPage(lines: readonly ChatLine[]): string | null {
  return lines.length === 1 ? (lines[0]?.page ?? null) : null
}

function bearer(token: string | null): Record<string, string> {
  return token === null ? {} : { Authorization: `Bearer ${token}` }
}

function characters(text: string): number {
  return text.length
}

function bytesOfJson(body: unknown): number {
  return Buffer.byteLength(JSON.stringify(body))
}
