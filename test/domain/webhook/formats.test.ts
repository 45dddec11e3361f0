import { describe, expect, test } from 'bun:test'
import { AdaptiveCard, SerializationContext } from 'adaptivecards'
import Ajv from 'ajv'
import fc from 'fast-check'
import { formatRules, guessFormat } from '../../../src/domain/webhook/formats.ts'
import type { Composition } from '../../../src/domain/webhook/message.ts'
import type { WebhookEvent, WebhookFormat } from '../../../src/domain/webhook/webhook.ts'
import { schemaOf } from '../../support/cdevents.ts'
import { costlyTexts } from '../../support/texts/costly.ts'

const baseUrl = 'https://ship.example'

function announced(
  id: number,
  message: string,
  more: { name?: string; version?: string; url?: string } = {},
): WebhookEvent {
  const { name = 'Ada', version = 'v2.4.0', url = 'https://github.com/ada/engine' } = more
  const poster = { id: 1, username: 'ada', name }
  const deployedAt = new Date('2026-11-24T12:00:00Z')
  const release = { environment: 'production', version, commit: undefined }
  const deployment = { id, message, url, category: null, deployedAt, poster, ...release }
  return { kind: 'announced', id, deployment, scopes: [], hops: 0 }
}

function composed(format: WebhookFormat, events: readonly WebhookEvent[], isTest = false) {
  const url = 'https://ntfy.example/base/topic-1'
  const list = events as Composition['events']
  const now = new Date('2026-11-24T12:00:00Z')
  const content = formatRules[format].content({
    url,
    events: list,
    messageId: 'msg_1_2',
    baseUrl,
    now,
    isTest,
  })
  // As its receiver reads it.
  return {
    events: content.events,
    body: JSON.parse(JSON.stringify(content.body)),
    bytes: Buffer.byteLength(JSON.stringify(content.body)),
  }
}

/** Fails if a text could ring anybody in a chat service, or begin a mention. */
function expectNoMention(text: string): void {
  expect(text).not.toMatch(/[@＠﹫](?!\u200b)/)
  expect(text).not.toMatch(/<[!@#&]/)
  expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
}

const linkOf = (id: number) => `${baseUrl}/ada/${id}`

/** A stand-in of each service: checks what the service checks. `ids` are those of the events that it is told. */
const services: Readonly<
  Partial<Record<WebhookFormat, (body: Record<string, never>, ids: readonly number[]) => void>>
> = {
  slack(body, ids) {
    const { text } = only<string>(body, ['text'])
    expect(text.length).toBeLessThanOrEqual(5_000)
    expectNoMention(text)
    // Nothing but our links is markup, and there is a link for each event.
    const links = [...text.matchAll(/<([^|<>]+)\|[^|<>]*>/g)]
    expect(links.map(([, address]) => address as string)).toEqual(ids.map(linkOf))
    expect(text.replace(/<[^|<>]+\|[^|<>]*>/g, '')).not.toMatch(/[<>*~`|[\]]|&(?!(amp|lt|gt);)/)
    expect(text.split('\n').length).toBe(ids.length)
  },
  discord(body, ids) {
    const { content, allowed_mentions } = only<string>(body, ['content', 'allowed_mentions'])
    expect<unknown>(allowed_mentions).toEqual({ parse: [] })
    expect(content.length).toBeLessThanOrEqual(2_000)
    expectNoMention(content)
    // Without our links and what is escaped, no sign of Markdown is left.
    const bare = ids.reduce((text, id) => text.replace(`](<${linkOf(id)}>)`, ''), content)
    expect(bare.replace(/\\[\\*_~`|>[\]()<#:@-]/g, '').replace(/^(• )?(Test: )?\[/gm, '')).not.toMatch(
      /[*_~`|>[\]()<\\]/,
    )
  },
  teams(body, ids) {
    expect<unknown>((body as Record<string, unknown>).type).toBe('message')
    const [attachment] = (body as Record<string, never[]>).attachments as unknown as {
      content: object
      contentType: string
    }[]
    expect(attachment?.contentType).toBe('application/vnd.microsoft.card.adaptive')
    const context = new SerializationContext()
    const card = new AdaptiveCard()
    card.parse(attachment?.content, context)
    expect(context.eventCount).toBe(0)
    expect(card.validateProperties().validationEvents).toEqual([])
    expect(card.getItemCount()).toBe(ids.length)
    expect(JSON.stringify(attachment?.content)).not.toContain('"TextBlock"')
  },
  matrix(body, ids) {
    const content = only<string>(body, ['msgtype', 'body', 'format', 'formatted_body', 'm.mentions'])
    expect<unknown>(content['m.mentions']).toEqual({})
    expectNoMention(content.body)
    const html = content.formatted_body.replace(
      /<a href="https:\/\/ship\.example\/ada\/\d+">|<\/a>|<br>/g,
      '',
    )
    expect(html).not.toMatch(/[<>"]|&(?!(amp|lt|gt|quot);)/)
    expect(content.formatted_body.split('<a ').length - 1).toBe(ids.length)
  },
  ntfy(body, ids) {
    const { topic, title, message, tags, click } = body as Record<string, unknown>
    expect(topic).toBe('topic-1')
    expect(tags).toEqual(['rocket'])
    expect(Buffer.byteLength(String(message))).toBeLessThanOrEqual(4_096)
    expect(click).toBe(ids.length === 1 ? linkOf(ids[0] as number) : undefined)
    expectNoMention(`${title}${message}`)
  },
  gotify(body) {
    const { title, message, priority } = body as Record<string, unknown>
    expect([typeof title, typeof message, priority]).toEqual(['string', 'string', 4])
    expectNoMention(`${title}${message}`)
  },
  apprise(body) {
    const content = only<string>(body, ['title', 'body', 'type', 'format'])
    expect([content.type, content.format]).toEqual(['success', 'text'])
    expect(content.body.length).toBeLessThanOrEqual(2_000)
    expectNoMention(content.title + content.body)
  },
}

function only<Value>(body: object, names: readonly string[]): Whole<Value> {
  expect(Object.keys(body).sort()).toEqual([...names].sort())
  return body as Whole<Value>
}

/** The members that the services below have, so that each is known to be there. */
type Whole<Value> = Readonly<Record<'text' | 'content' | 'body' | 'formatted_body' | 'title', Value>> &
  Readonly<Record<string, Value>>

const chats = Object.keys(services) as WebhookFormat[]

function check(
  format: WebhookFormat,
  messages: readonly string[],
  more: Parameters<typeof announced>[2] = {},
): void {
  const events = messages.map((message, n) => announced(n + 1, message, more))
  for (let rest = events; rest.length > 0; ) {
    const { body, events: carried, bytes } = composed(format, rest)
    expect(carried).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(32_000)
    services[format]?.(
      body,
      rest.slice(0, carried).map(({ id }) => id),
    )
    rest = rest.slice(carried)
  }
}

const hostile = [
  '@everyone',
  '@here',
  '@channel <!channel> <!here|x> <@U024BE7LH> <#C1> <!subteam^S1>',
  '@all @room @ada',
  '@**all** @_**Ada**',
  '<at>Ada</at>',
  '<@&123> <@!1>',
  '<users/all>',
  '"},{"text":"x',
  '\\',
  '\\\\*\\',
  '`'.repeat(4_000),
  '*'.repeat(4_000),
  '&'.repeat(4_000),
  '<'.repeat(4_000),
  '@'.repeat(4_000),
  '[click](https://evil.example)',
  '![x](https://evil.example/p.png)',
  '</a><script>alert(1)</script>',
  '" onmouseover="x',
  '\u202eevil',
  'a\u2028b',
  '\u0000\u0001',
  '🚀'.repeat(1_000),
  '||spoiler||',
  '> quote',
  '# heading',
  ']('.repeat(500),
  '\ud83d',
  ' '.repeat(50),
  'Fix: a\n\nbody @here',
  ':rocket: ＠everyone',
  '&lt;!channel&gt;',
]

describe.each(chats)('A message for %s', (format) => {
  test('is accepted, however hostile the texts are', () => {
    for (const text of [
      ...hostile,
      ...costlyTexts(4_000, (costly) => costly.length).map(([, costly]) => costly),
    ]) {
      check(format, [text])
      check(format, ['A'], { name: text.slice(0, 60), version: text.slice(0, 128) })
    }
    check(format, hostile)
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 400 }), { minLength: 1, maxLength: 30 }),
        (texts) => check(format, texts),
      ),
      { numRuns: 60 },
    )
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'@<>&*_`~|[]()\\!#: ae"\n'), maxLength: 500 }),
        (text) => check(format, [text], { name: text.slice(0, 60) }),
      ),
      { numRuns: 200 },
    )
  })

  test('joins what waits, up to the length of the service, and keeps what does not fit', () => {
    const many = Array.from({ length: 60 }, (_, n) => announced(n + 1, `Fix ${n} ${'x'.repeat(300)}`))
    expect(composed(format, many).events).toBeWithin(2, 21)
    expect(composed(format, many.slice(0, 3)).events).toBe(3)
  })

  test('says what was withdrawn, and that it is a test', () => {
    const withdrawn = { kind: 'withdrawn', id: 9, deploymentId: 7, username: 'ada' } as const
    expect(JSON.stringify(composed(format, [withdrawn]).body)).toMatch(/deployment 7.*withdrawn/)
    expect(JSON.stringify(composed(format, [announced(1, 'A')], true).body)).toContain('Test: ')
  })
})

test('a CDEvent fits the schema of service.deployed', () => {
  const valid = new Ajv({ strict: false }).compile(schemaOf('deployed', '0.3.0'))
  // What is stored is well-formed.
  for (const text of hostile.map((one) => one.toWellFormed())) {
    const { body } = composed(
      'cdevents',
      [announced(3, text, { version: text.slice(0, 9).toWellFormed(), url: 'not a link' })],
      true,
    )
    expect(body).toMatchObject({ specversion: '1.0', id: 'msg_1_2', type: body.data.context.type })
    expect(valid(body.data), JSON.stringify(valid.errors)).toBeTrue()
    expect(body.data.customData).toMatchObject({
      id: 3,
      message: text,
      test: true,
    })
  }
})

test.each([
  ['https://hooks.slack.com/services/T0/B0/x', 'slack'],
  ['https://chat.googleapis.com/v1/spaces/a/messages?key=b', 'slack'],
  ['https://zulip.example/api/v1/external/slack_incoming?api_key=a', 'slack'],
  ['https://mattermost.example/hooks/abc', 'slack'],
  ['https://discord.com/api/webhooks/1/abc', 'discord'],
  ['https://ptb.discord.com/api/webhooks/1/abc', 'discord'],
  ['https://prod-1.westeurope.logic.azure.com:443/workflows/a', 'teams'],
  ['https://matrix.example/_matrix/client/v3/rooms/!a:b/send/m.room.message', 'matrix'],
  ['https://ntfy.sh/deployments', 'ntfy'],
  ['https://gotify.example/message', 'gotify'],
  ['https://apprise.example/notify/key', 'apprise'],
  ['https://discord.com.evil.example/api/webhooks/1/abc', 'standard'],
  ['https://example.com/hook', 'standard'],
])('%s looks like %s', (url, format) => {
  expect<string>(guessFormat(url)).toBe(format)
})
