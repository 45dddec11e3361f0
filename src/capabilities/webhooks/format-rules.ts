import { recordOf } from '../../domain/deployment.ts'
import { isNamedProject, targetOfDeployment } from '../../domain/target.ts'
import { timestampOf } from '../../domain/time.ts'
import { chatRules } from './chat-formats.ts'
import type { Composition, Content, FormatRule, WebhookFormat } from './rules.ts'

const single = { everyMs: 0, token: 'none' } as const

export const formatRules: Readonly<Record<WebhookFormat, FormatRule>> = {
  ...chatRules,
  standard: { ...single, content: standard, sendsWithdrawals: true },
  cdevents: {
    ...single,
    content: cdevents,
    request: () => ({ headers: { 'Content-Type': 'application/cloudevents+json; charset=utf-8' } }),
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
function standard({ events: [event], baseUrl, now, isTest }: Composition): Content {
  const test = isTest ? { test: true } : {}
  if (event.kind === 'withdrawn') {
    const data = { id: event.deploymentId, username: event.username }
    return { body: { type: 'deployment.withdrawn', timestamp: timestampOf(now), ...test, data }, events: 1 }
  }
  const timestamp = timestampOf(event.deployment.deployedAt)
  const data = recordOf(event.deployment, baseUrl)
  return { body: { type: 'deployment.announced', timestamp, ...test, data }, events: 1 }
}

/** A CDEvent as a structured CloudEvent. Only `customData` may have members of ours. */
function cdevents({ events: [event], baseUrl, messageId, isTest }: Composition): Content {
  if (event.kind === 'withdrawn') throw new Error('CDEvents has no event for a withdrawal')
  const { deployment } = event
  const { environment, version, commit, poster } = deployment
  const type = 'dev.cdevents.service.deployed.0.3.0'
  const time = timestampOf(deployment.deployedAt)
  const target = targetOfDeployment(deployment)
  // A project that an announcement names has no host.
  const host = target === null || isNamedProject(target) ? [] : [target.host]
  const name = target === null ? poster.username : [...host, ...target.path].join('/')
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
            environment: { id: environment ?? host[0] ?? poster.username },
            artifactId: `pkg:generic/${encodeURIComponent(poster.username)}@${encodeURIComponent(version ?? commit ?? String(deployment.id))}`,
          },
        },
        customData: { ...recordOf(deployment, baseUrl), ...(isTest ? { test: true } : {}) },
        customDataContentType: 'application/json',
      },
    },
  }
}
