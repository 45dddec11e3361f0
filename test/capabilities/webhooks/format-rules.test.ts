import { describe, expect, test } from 'bun:test'
import Ajv from 'ajv'
import { formatRules, guessFormat } from '../../../src/capabilities/webhooks/format-rules.ts'
import type { Composition, WebhookEvent, WebhookFormat } from '../../../src/capabilities/webhooks/rules.ts'
import { schemaOf } from '../../support/cdevents.ts'
import { type ChatFormat, chatServices } from '../../support/webhooks/services.ts'

const baseUrl = 'https://ship.example'

function announced(
  id: number,
  message: string,
  more: { name?: string; version?: string; url?: string; project?: string; actor?: string } = {},
): WebhookEvent {
  const { name = 'Ada', version = 'v2.4.0', url = 'https://github.com/ada/engine', actor } = more
  const poster = { id: 1, username: 'ada', name }
  const deployedAt = new Date('2026-11-24T12:00:00Z')
  const release = { environment: 'production', version, project: more.project, commit: undefined, actor }
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

const chats = Object.keys(chatServices) as ChatFormat[]

describe.each(chats)('A message for %s', (format) => {
  test('joins what waits, up to the length of the service, and keeps what does not fit', () => {
    const many = Array.from({ length: 60 }, (_, n) => announced(n + 1, `Fix ${n} ${'x'.repeat(300)}`))
    expect(composed(format, many).events).toBeWithin(2, 21)
    expect(composed(format, many.slice(0, 3)).events).toBe(3)
  })

  test('says what was withdrawn, and whether it is a test', () => {
    const withdrawn = {
      kind: 'withdrawn',
      id: 9,
      deploymentId: 7,
      deployedAt: null,
      username: 'ada',
    } as const
    expect(JSON.stringify(composed(format, [withdrawn]).body)).toMatch(/deployment 7.*withdrawn/)
    expect(JSON.stringify(composed(format, [announced(1, 'A')], true).body)).toContain('Test: ')
  })
})

test.each(chats)(
  'A message for %s says what a deployment went back to, and links what was taken back',
  (format) => {
    const event = announced(3, 'Oh no', { version: 'v2.3.0' }) as Extract<WebhookEvent, { kind: 'announced' }>
    const replaced = { id: 2, version: 'v2.4.0', step: 'back' } as const
    const told = (url: string) => {
      const deployment = { ...event.deployment, url, replaced }
      return JSON.stringify(composed(format, [{ ...event, deployment }]).body)
    }
    const compare = 'https://github.com/ada/engine/compare/v2.3.0...v2.4.0'
    expect(told('https://github.com/ada/engine')).toContain(compare)
    expect(told('https://github.com/ada/engine')).toMatch(/back to v2\.3\.0|back to v2\\\\\.3/)
    expect(told('https://ada.dev')).not.toContain('ompare')
    // A very long one would leave no room for the rest.
    expect(told(`https://github.com/${'a'.repeat(200)}/${'b'.repeat(100)}`)).not.toContain('ompare')
  },
)

test('a chat shows code of a headline as its service does, and shortcodes as emoji', () => {
  const message = ':bug: Keep `a_*b<2` of *d*'
  const bodies = Object.fromEntries(
    chats.map((format) => [format, composed(format, [announced(1, message)]).body]),
  )
  expect(bodies.slack.text).toEndWith(' by Ada: 🐛 Keep `a_*b&lt;2` of ∗d∗')
  expect(bodies.discord.content).toEndWith(' by Ada\\: 🐛 Keep `a_*b<2` of \\*d\\*')
  expect(bodies.matrix.formatted_body).toEndWith(' by Ada: 🐛 Keep <code>a_*b&lt;2</code> of *d*')
  const [, ...runs] = bodies.teams.attachments[0].content.body[0].inlines
  expect(runs).toEqual([
    { type: 'TextRun', text: ' by Ada: ' },
    { type: 'TextRun', text: '🐛 Keep ' },
    { type: 'TextRun', text: 'a_*b<2', fontType: 'Monospace' },
    { type: 'TextRun', text: ' of *d*' },
  ])
  const plain = [bodies.matrix.body, bodies.ntfy.message, bodies.gotify.message, bodies.apprise.body]
  for (const text of plain) expect(text).toContain(' by Ada: 🐛 Keep a_*b<2 of *d*')
})

test.each([
  ['grace', ' by grace (Ada L.): A'],
  ['Grace @all\u202e', ' by Grace @\u200ball (Ada L.): A'],
  ['g'.repeat(60), ` by ${'g'.repeat(60)} (Ada L.): A`],
  // Whoever announces by themselves is named once.
  ['ada', ' by Ada L.: A'],
  ['ada l.', ' by Ada L.: A'],
  [undefined, ' by Ada L.: A'],
])('a chat says who started a deployment: %p', (actor, said) => {
  const { body } = composed('gotify', [
    announced(1, 'A', { name: 'Ada L.', ...(actor === undefined ? {} : { actor }) }),
  ])
  expect(body.message).toContain(said)
})

test('code that holds backticks cannot end early in a chat', () => {
  const [slack, discord] = (['slack', 'discord'] as const).map(
    (format) => composed(format, [announced(1, 'Keep ``a` *b*`` c')]).body,
  )
  expect(slack.text).toEndWith(': Keep `aˋ *b*` c')
  expect(discord.content).toEndWith(': Keep `aˋ *b*` c')
})

test('a CDEvent fits the schema of service.deployed', () => {
  const valid = new Ajv({ strict: false }).compile(schemaOf('deployed', '0.3.0'))
  for (const text of ['"},{"text":"x', '\u202e', '🚀'.repeat(1_000), '\ud83d'.toWellFormed()]) {
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

test('a CDEvent of a project that was named has its name, and no host', () => {
  const event = announced(3, 'Pay', { project: 'shop/pay' }) as Extract<WebhookEvent, { kind: 'announced' }>
  const nowhere = { ...event, deployment: { ...event.deployment, environment: undefined } }
  const { subject } = composed('cdevents', [nowhere]).body.data
  expect([subject.id, subject.content.environment.id]).toEqual(['shop/pay', 'ada'])
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
