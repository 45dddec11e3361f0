import { type ChatLine, type ChatMarkup, joined, onlyPage, titleOf, written } from './chat-lines.ts'
import type { FormatRule, WebhookFormat } from './rules.ts'

/** Lookalikes of the markup that cannot be escaped. An underscore is markup only at the edge of a word. */
const lookalikes: Readonly<Record<string, string>> = {
  _: 'ˍ',
  '*': '∗',
  '~': '∼',
  '`': 'ˋ',
  '|': '¦',
  '[': '［',
  ']': '］',
}

const slackMarkup: ChatMarkup = {
  text: (text) =>
    withoutTags(text).replace(
      /[*~`|[\]]|(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu,
      (signs) => lookalikes[signs.charAt(0)]?.repeat(signs.length) ?? signs,
    ),
  code: (text) => inBackticks(withoutTags(text)),
  link: (text, address) => `<${address}|${text}>`,
}

/** In Discord, a backslash escapes any ASCII sign. */
const discordMarkup: ChatMarkup = {
  text: (text) => text.replace(/[\\*_~`|>[\]()<#:@-]/g, '\\$&'),
  code: inBackticks,
  // It does not know escaped brackets in the text of a link.
  link: (text, address) =>
    `[${text.replace(/\\([[\]])/g, (_, sign) => lookalikes[sign] ?? '')}](<${address}>)`,
}

/** Code in which nothing else is markup. */
function inBackticks(text: string): string {
  return `\`${text.replaceAll('`', lookalikes['`'] as string)}\``
}

const htmlMarkup: ChatMarkup = {
  text: forHtml,
  code: (text) => `<code>${forHtml(text)}</code>`,
  link: (text, address) => `<a href="${forHtml(address)}">${text}</a>`,
}

function forHtml(text: string): string {
  return withoutTags(text).replaceAll('"', '&quot;')
}

function withoutTags(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const chat = { everyMs: 2_000, token: 'none', sendsWithdrawals: true } as const

/** Chats and notifications. The rates stay below those of the services, such as 12 a minute for ntfy and Matrix. */
export const chatRules = {
  /** Also Mattermost, Rocket.Chat, Google Chat and Zulip (its Slack-compatible address). */
  slack: {
    ...chat,
    content: joined(
      5_000,
      (lines) => ({ text: written(lines, slackMarkup) }),
      ({ text }) => text.length,
    ),
  },
  /** `allowed_mentions` without kinds keeps texts from notifying anybody. */
  discord: {
    ...chat,
    content: joined(
      2_000,
      (lines) => ({ content: written(lines, discordMarkup), allowed_mentions: { parse: [] } }),
      ({ content }) => content.length,
    ),
  },
  /** An Adaptive Card has at most 28 KB, as UTF-8 or as UTF-16. */
  teams: {
    ...chat,
    content: joined(
      26_000,
      (lines) => ({
        type: 'message',
        attachments: [
          { contentType: 'application/vnd.microsoft.card.adaptive', content: cardOf(lines) },
        ] as const,
      }),
      ({ attachments: [{ content }] }) => Math.max(bytesOfJson(content), 2 * JSON.stringify(content).length),
    ),
  },
  /** Events have at most 64 KB. Empty `m.mentions` notify nobody, and a server drops an id that it has seen. */
  matrix: {
    ...chat,
    content: joined(
      30_000,
      (lines) => ({
        msgtype: 'm.notice',
        body: written(lines),
        format: 'org.matrix.custom.html',
        formatted_body: written(lines, htmlMarkup).replaceAll('\n', '<br>'),
        'm.mentions': {},
      }),
      bytesOfJson,
    ),
    request: ({ url, token, messageId }) => ({
      method: 'PUT',
      url: `${url.replace(/\/$/, '')}/${messageId}`,
      headers: bearer(token),
    }),
    everyMs: 5_000,
    token: 'required',
    path: {
      pattern: /^\/_matrix\/client\/[^/]+\/rooms\/[^/]+\/send\/m\.room\.message\/?$/,
      advice: 'must be that of a room: https://…/_matrix/client/v3/rooms/<room>/send/m.room.message',
    },
  },
  /** Takes JSON at its root, with the topic in it. It would turn a longer message into a file. */
  ntfy: {
    ...chat,
    content: joined(
      4_000,
      (lines, url) => ({
        topic: ntfyAddress(url).topic,
        title: titleOf(lines),
        message: written(lines),
        tags: ['rocket'],
        click: onlyPage(lines) ?? undefined,
      }),
      ({ message }) => Buffer.byteLength(message),
    ),
    request: ({ url, token }) => ({ url: ntfyAddress(url).root, headers: bearer(token) }),
    everyMs: 5_000,
    token: 'optional',
    path: { pattern: /^\/(.*\/)?[\w-]{1,64}\/?$/, advice: 'must end with a topic: https://ntfy.sh/<topic>' },
  },
  gotify: {
    ...chat,
    content: joined(
      20_000,
      (lines) => {
        const page = onlyPage(lines)
        const extras = page === null ? undefined : { 'client::notification': { click: { url: page } } }
        return { title: titleOf(lines), message: written(lines), priority: 4, extras }
      },
      bytesOfJson,
    ),
    request: ({ token }) => (token === null ? {} : { headers: { 'X-Gotify-Key': token } }),
    token: 'required',
  },
  /** The limit is that of Discord. The title counts, because Apprise puts it above the text for some services. */
  apprise: {
    ...chat,
    content: joined(
      1_990,
      (lines) => ({ title: titleOf(lines), body: written(lines), type: 'success', format: 'text' }),
      ({ title, body }) => title.length + body.length,
    ),
  },
} as const satisfies Partial<Record<WebhookFormat, FormatRule>>

/** In the runs of a RichTextBlock, text is not read as Markdown. */
function cardOf(lines: readonly ChatLine[]) {
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: lines.map(({ mark, subject, details, page, compare }) => ({
      type: 'RichTextBlock',
      inlines: [
        ...(mark === '' ? [] : [{ type: 'TextRun', text: mark }]),
        {
          type: 'TextRun',
          text: subject,
          weight: 'bolder',
          selectAction: page === null ? undefined : { type: 'Action.OpenUrl', url: page },
        },
        ...details.map(({ text, isCode }) => ({
          type: 'TextRun',
          text,
          fontType: isCode ? 'Monospace' : undefined,
        })),
        ...(compare === null
          ? []
          : [
              { type: 'TextRun', text: ' · ' },
              { type: 'TextRun', text: 'Compare', selectAction: { type: 'Action.OpenUrl', url: compare } },
            ]),
      ],
    })),
  }
}

/** The topic is the last segment of the address that people subscribe to. */
function ntfyAddress(address: string): { readonly root: string; readonly topic: string } {
  const url = new URL(address)
  const [, root = '/', topic = ''] = /^(.*\/)([^/]+)\/?$/.exec(url.pathname) ?? []
  url.pathname = root
  return { root: url.href, topic }
}

function bearer(token: string | null): Record<string, string> {
  return token === null ? {} : { Authorization: `Bearer ${token}` }
}

function bytesOfJson(body: unknown): number {
  return Buffer.byteLength(JSON.stringify(body))
}
