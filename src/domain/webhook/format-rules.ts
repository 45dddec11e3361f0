import { recordOf } from '../deployment.ts'
import { targetOf } from '../target.ts'
import { timestampOf } from '../time.ts'
import {
  apprise,
  discord,
  gotify,
  gotifyRequest,
  matrix,
  matrixRequest,
  ntfy,
  ntfyRequest,
  slack,
  teams,
} from './chat-formats.ts'
import type { Addressee, Composition, Content, MessageRequest, WebhookFormat } from './webhook.ts'

type FormatRule = {
  readonly content: (composition: Composition) => Content
  /** What differs from a POST of JSON to the address of the webhook. */
  readonly request?: (addressee: Addressee) => Partial<MessageRequest>
  /**
   * The time between two messages, which is also how long a first event waits for others to be joined with it;
   * 0 for a format that sends each event by itself.
   */
  readonly everyMs: number
  /** Whether its service asks for a token of its own, which the owner types. */
  readonly token: 'none' | 'optional' | 'required'
  /** Whether it has a message for a withdrawal. */
  readonly sendsWithdrawals: boolean
  /** What the path of an address must match, and an example in words. */
  readonly path?: { readonly pattern: RegExp; readonly advice: string }
}

const chat = { everyMs: 2_000, token: 'none', sendsWithdrawals: true } as const

/** The rates are below those of the services: Slack allows one a second, Discord 30 a minute, ntfy and Matrix 12. */
export const formatRules: Readonly<Record<WebhookFormat, FormatRule>> = {
  standard: { content: standard, everyMs: 0, token: 'none', sendsWithdrawals: true },
  slack: { ...chat, content: slack },
  discord: { ...chat, content: discord },
  teams: { ...chat, content: teams },
  matrix: {
    ...chat,
    content: matrix,
    request: matrixRequest,
    everyMs: 5_000,
    token: 'required',
    path: {
      pattern: /^\/_matrix\/client\/[^/]+\/rooms\/[^/]+\/send\/m\.room\.message\/?$/,
      advice: 'must be that of a room: https://…/_matrix/client/v3/rooms/<room>/send/m.room.message',
    },
  },
  ntfy: {
    ...chat,
    content: ntfy,
    request: ntfyRequest,
    everyMs: 5_000,
    token: 'optional',
    path: { pattern: /^\/(.*\/)?[\w-]{1,64}\/?$/, advice: 'must end with a topic: https://ntfy.sh/<topic>' },
  },
  gotify: { ...chat, content: gotify, request: gotifyRequest, token: 'required' },
  apprise: { ...chat, content: apprise },
  cdevents: {
    content: cdevents,
    request: cdeventsRequest,
    everyMs: 0,
    token: 'none',
    sendsWithdrawals: false,
  },
}

/** The formats that join several waiting events into one message. */
export const joiningFormats = (Object.keys(formatRules) as WebhookFormat[]).filter(
  (format) => formatRules[format].everyMs > 0,
)

/** The formats of addresses of these forms. The first form that matches counts. */
const addresses: readonly (readonly [RegExp, WebhookFormat])[] = [
  [/^https:\/\/hooks\.slack\.com\/|^https:\/\/chat\.googleapis\.com\/|\/api\/v1\/external\/slack/, 'slack'],
  [/^https:\/\/(\w+\.)?discord(app)?\.com\/api\/webhooks\//, 'discord'],
  [/^https:\/\/[^/]+\.(logic\.azure\.com|powerplatform\.com|webhook\.office\.com)[:/]/, 'teams'],
  [/\/_matrix\/client\//, 'matrix'],
  [/^https?:\/\/ntfy\./, 'ntfy'],
  [/^https?:\/\/[^/]+(\/.*)?\/message\/?$/, 'gotify'],
  [/\/notify\/[^/]+\/?$/, 'apprise'],
  // Mattermost and Rocket.Chat.
  [/^https?:\/\/[^/]+\/hooks\/[^/]/, 'slack'],
]

/** The format that the form of an address suggests. */
export function guessFormat(url: string): WebhookFormat {
  return addresses.find(([pattern]) => pattern.test(url))?.[1] ?? 'standard'
}

/** Standard Webhooks: the event by itself. The headers that sign it are added when it is sent. */
function standard(composition: Composition): Content {
  const { events, baseUrl, now, isTest } = composition
  const [event] = events
  const test = isTest ? { test: true } : {}
  if (event.kind === 'withdrawn') {
    const data = { id: event.deploymentId, username: event.username }
    return { body: { type: 'deployment.withdrawn', timestamp: timestampOf(now), ...test, data }, events: 1 }
  }
  const { deployment } = event
  const timestamp = timestampOf(deployment.deployedAt)
  const data = recordOf(deployment, baseUrl)
  return { body: { type: 'deployment.announced', timestamp, ...test, data }, events: 1 }
}

/** A CDEvent as a structured CloudEvent. Only `customData` may have members of ours. */
function cdevents(composition: Composition): Content {
  const { events, baseUrl, messageId, isTest } = composition
  const [event] = events
  if (event.kind === 'withdrawn') throw new Error('CDEvents has no event for a withdrawal')
  const { deployment } = event
  const { environment, version, commit, poster } = deployment
  const type = 'dev.cdevents.service.deployed.0.3.0'
  const time = timestampOf(deployment.deployedAt)
  const target = deployment.url === null ? null : targetOf(deployment.url)
  const name = target === null ? poster.username : [target.host, ...target.path].join('/')
  const record = recordOf(deployment, baseUrl)
  return {
    events: 1,
    body: {
      specversion: '1.0',
      id: messageId,
      source: baseUrl,
      type,
      subject: name,
      time,
      datacontenttype: 'application/json',
      data: {
        context: { specversion: '0.5.1', id: messageId, source: baseUrl, type, timestamp: time },
        subject: {
          id: name,
          source: baseUrl,
          content: {
            environment: { id: environment ?? target?.host ?? poster.username },
            artifactId: `pkg:generic/${encodeURIComponent(poster.username)}@${encodeURIComponent(version ?? commit ?? String(deployment.id))}`,
          },
        },
        customData: { ...record, ...(isTest ? { test: true } : {}) },
        customDataContentType: 'application/json',
      },
    },
  }
}

function cdeventsRequest(): Partial<MessageRequest> {
  return { headers: { 'Content-Type': 'application/cloudevents+json; charset=utf-8' } }
}
