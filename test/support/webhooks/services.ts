import { AdaptiveCard, SerializationContext } from 'adaptivecards'
import type { WebhookFormat } from '../../../src/capabilities/webhooks/rules.ts'
import type { Received } from './receiver.ts'

export type ChatFormat = Exclude<WebhookFormat, 'standard' | 'cdevents'>

/** What a stand-in of a service took: the texts that people see, and the pages that they link, in their order. */
type Taken = { readonly shown: readonly string[]; readonly pages: readonly string[] }

/** A stand-in of a chat service: where a webhook of it leads, its answer, and what it checks. */
type ChatService = {
  readonly path: string
  readonly token: string | null
  readonly status: number
  /** Throws what the service would say if it refused the message, or if the message did what it must not. */
  readonly take: (received: Received) => Taken
}

export const chatServices: Readonly<Record<ChatFormat, ChatService>> = {
  slack: {
    path: '/services/T0/B0/x',
    token: null,
    status: 200,
    take({ method, path, headers, body }) {
      must(method === 'POST' && path === '/services/T0/B0/x', 'no_service')
      must(headers['content-type'] === 'application/json', 'invalid_payload')
      const { text } = strings(body, ['text'])
      must(text !== '', 'no_text')
      must(text.length <= 5_000, 'msg_too_long')
      const links = [...text.matchAll(/<([^|<>]+)\|[^|<>]*>/g)]
      const rest = text.replace(/<[^|<>]+\|([^|<>]*)>/g, '$1')
      must(!/[<>]|&(?!(amp|lt|gt);)/.test(rest), 'a sign that must be escaped')
      const bare = rest.replace(/`[^`]+`/g, 'code')
      must(!/[*~`|[\]]/.test(bare), 'a sign of format')
      // In Slack and in Markdown, emphasis is around whole words.
      must(!/(?<![\p{L}\p{N}_])_|_(?![\p{L}\p{N}_])/u.test(bare), 'an underscore at the edge of a word')
      must(!/^\s*(#|>|- |\d+\. )/m.test(bare), 'a block of Markdown')
      return { shown: [rest], pages: links.map(([, page = '']) => page) }
    },
  },
  discord: {
    path: '/api/webhooks/1/token',
    token: null,
    status: 204,
    take({ method, body }) {
      must(method === 'POST', 'method not allowed')
      const { content } = strings({ content: body.content }, ['content'])
      must(Object.keys(body).sort().join() === 'allowed_mentions,content', 'unknown members')
      must(JSON.stringify(body.allowed_mentions) === '{"parse":[]}', 'it may mention')
      must(content.trim() !== '', 'Cannot send an empty message')
      must(content.length <= 2_000, 'BASE_TYPE_MAX_LENGTH')
      const pages: string[] = []
      // An escaped sign, code, or a link, whose text has no brackets at all.
      const bare = content.replace(
        /\\[!-/:-@[-`{-~]|`[^`]+`|\[([^[\]]*)\]\(<([^<>\s]+)>\)/g,
        (_, text = '', page) => {
          if (page !== undefined) pages.push(page)
          return text.replace(/\\[!-/:-@[-`{-~]/g, '')
        },
      )
      must(!/[*_~`|>[\]()<#@\\]/.test(bare), 'a sign of Markdown')
      must(!/^\s*(- |\d+\. )/m.test(bare), 'a list')
      return { shown: [content.replace(/\\(.)/g, '$1').replace(/\]\(<[^<>\s]+>\)/g, '')], pages }
    },
  },
  teams: {
    path: '/workflows/a/triggers/manual/paths/invoke',
    token: null,
    status: 202,
    take({ text, body }) {
      must(2 * text.length <= 28_000, 'Request Entity too large')
      const { type, attachments } = body as { type?: unknown; attachments?: unknown }
      const [attachment] = attachments as { contentType: string; content: object }[]
      must(type === 'message' && attachment !== undefined, 'no attachments')
      must(attachment?.contentType === 'application/vnd.microsoft.card.adaptive', 'no card')
      const context = new SerializationContext()
      const card = new AdaptiveCard()
      card.parse(attachment?.content, context)
      must(context.eventCount === 0, 'the card cannot be parsed')
      must(card.validateProperties().validationEvents.length === 0, 'the card is not valid')
      const content = attachment?.content as {
        msteams?: unknown
        body: { type: string; inlines: Inline[] }[]
      }
      must(content.msteams === undefined, 'it may mention')
      // Text of a TextBlock would be read as Markdown.
      must(
        content.body.every((block) => block.type === 'RichTextBlock'),
        'text that is read as Markdown',
      )
      const inlines = content.body.flatMap((block) => block.inlines)
      return {
        shown: content.body.map((block) => block.inlines.map((inline) => inline.text).join('')),
        pages: inlines.flatMap(({ selectAction }) => (selectAction === undefined ? [] : [selectAction.url])),
      }
    },
  },
  matrix: {
    path: '/_matrix/client/v3/rooms/!room:ship.example/send/m.room.message',
    token: 'syt_token',
    status: 200,
    take({ method, path, headers, text, body }) {
      must(headers.authorization === 'Bearer syt_token', 'M_MISSING_TOKEN')
      const transaction = /^\/_matrix\/client\/v3\/rooms\/[^/]+\/send\/m\.room\.message\/[\w.~-]+$/
      must(method === 'PUT' && transaction.test(path), 'M_UNRECOGNIZED')
      must(Buffer.byteLength(text) <= 60_000, 'M_TOO_LARGE')
      const { 'm.mentions': mentions, ...rest } = body
      const content = strings(rest, ['msgtype', 'body', 'format', 'formatted_body'])
      must(JSON.stringify(mentions) === '{}', 'it may mention')
      must(content.msgtype === 'm.notice' && content.format === 'org.matrix.custom.html', 'M_BAD_JSON')
      const link = /<a href="([^"<>]+)">([^<>]*)<\/a>/g
      const shown = content.formatted_body.replace(link, '$2').replaceAll('<br>', '\n')
      const html = shown.replace(/<code>([^<>]+)<\/code>/g, '$1')
      must(!/[<>"]|&(?!(amp|lt|gt|quot);)/.test(html), 'markup')
      return {
        shown: [content.body, html],
        pages: [...content.formatted_body.matchAll(link)].map(([, page = '']) => page),
      }
    },
  },
  ntfy: {
    path: '/base/topic-1',
    token: 'tk_token',
    status: 200,
    take({ method, path, headers, body }) {
      must(method === 'POST' && path === '/base/', 'not found')
      must(headers.authorization === 'Bearer tk_token', 'unauthorized')
      const { tags, click, ...rest } = body
      const { topic, title, message } = strings(rest, ['topic', 'title', 'message'])
      must(/^[-_A-Za-z0-9]{1,64}$/.test(topic) && topic === 'topic-1', 'invalid topic')
      must(Buffer.byteLength(message) <= 4_096 && message !== '', 'it becomes an attachment')
      must(!/[\r\n]/.test(title), 'a title of two lines')
      must(Array.isArray(tags) && tags.every((tag) => typeof tag === 'string'), 'invalid tags')
      must(click === undefined || URL.canParse(String(click)), 'invalid click')
      return plainTaken(title, message, click)
    },
  },
  gotify: {
    path: '/message',
    token: 'A_token',
    status: 200,
    take({ method, path, headers, body }) {
      must(method === 'POST' && path === '/message', 'page not found')
      must(headers['x-gotify-key'] === 'A_token', 'you need to provide a valid access token')
      const { priority, extras, ...rest } = body
      const { title, message } = strings(rest, ['title', 'message'])
      must(message !== '', "Field 'message' is required")
      must(Number.isInteger(priority), 'cannot unmarshal priority')
      const notification = Object(extras)['client::notification']
      must(extras === undefined || URL.canParse(notification.click.url), 'invalid extras')
      return plainTaken(title, message, notification?.click.url)
    },
  },
  apprise: {
    path: '/notify/key',
    token: null,
    status: 200,
    take({ method, path, body: sent }) {
      must(method === 'POST' && path === '/notify/key', 'no such key')
      const { title, body, type, format } = strings(sent, ['title', 'body', 'type', 'format'])
      must(body !== '', 'An invalid payload was specified')
      must(['info', 'success', 'warning', 'failure'].includes(type), 'an invalid type')
      must(format === 'text', 'text that is read as Markdown')
      // For a service without titles, the title is put above the text.
      must(`${title}\r\n${body}`.length <= 2_000, 'too long for Discord')
      return plainTaken(title, body)
    },
  },
}

type Inline = { readonly text: string; readonly selectAction?: { readonly url: string } }

/** Plain text has the addresses of its pages. A page to click on is there only for a single event. */
function plainTaken(title: string, text: string, click?: unknown): Taken {
  const pages = [...text.matchAll(/\((https:\/\/ship\.example\/ada\/\d+)\)/g)].map(([, page = '']) => page)
  must(click === undefined || (pages.length === 1 && click === pages[0]), 'a click that leads elsewhere')
  return { shown: [title, text], pages }
}

function strings<Name extends string>(
  body: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  must(Object.keys(body).sort().join() === [...names].sort().join(), `members other than ${names}`)
  must(
    Object.values(body).every((value) => typeof value === 'string'),
    'a member that is no text',
  )
  return body as Record<Name, string>
}

function must(holds: boolean, refusal: string): void {
  if (!holds) throw new Error(refusal)
}
