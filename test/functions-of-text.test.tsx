import { expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import { parseReport } from '../src/capabilities/abuse-reports/rules.ts'
import { readEvent } from '../src/capabilities/cdevents/rules.ts'
import { atomOf, channelOf, jsonFeedOf } from '../src/capabilities/feeds/feeds.ts'
import { parseImportItem } from '../src/capabilities/import/rules.ts'
import { readDelivery } from '../src/capabilities/intakes/events.ts'
import { readFluxEvent } from '../src/capabilities/intakes/flux.ts'
import { announcementOf, intakeFields, parseIntake } from '../src/capabilities/intakes/rules.ts'
import { DeploymentCard } from '../src/capabilities/pictures/deployment-card.tsx'
import { identityOf, vouchedBy } from '../src/capabilities/publishers/claims.ts'
import { parsePublisher } from '../src/capabilities/publishers/form.ts'
import { lookOfFound } from '../src/capabilities/search/marks.ts'
import { hasAll, hasAny, wordsOf } from '../src/capabilities/search/words.ts'
import { parseFilter, parseWebhook, webhookFields } from '../src/capabilities/webhooks/form.ts'
import { formatRules } from '../src/capabilities/webhooks/format-rules.ts'
import type { FormatRule } from '../src/capabilities/webhooks/rules.ts'
import { parseToken, tokenFields } from '../src/domain/account/token-rights.ts'
import { parseAnnouncement } from '../src/domain/announcement/announcement.ts'
import { type Deployment, recordOf } from '../src/domain/deployment.ts'
import { isByBot } from '../src/domain/feed/bots.ts'
import type { IssuerKind } from '../src/domain/issuer.ts'
import { clientAddressReader } from '../src/http/client-address.ts'
import { secretCookie } from '../src/http/cookies.ts'
import { hasEtag, textResponder } from '../src/http/responses.ts'
import { DeploymentPage } from '../src/views/deployment/deployment-page.tsx'
import { DeploymentEntry } from '../src/views/deployment/entry.tsx'
import { type Fed, fedInto, functionsOfText } from './functions-of-text.ts'
import { cdevent } from './support/cdevents.ts'
import {
  forgejoRelease,
  forgejoRun,
  githubDeployment,
  githubRelease,
  gitlabDeployment,
  gitlabRelease,
} from './support/intake/deliveries.ts'
import { characters, joinedWords, type Shape, superlinear } from './support/texts/growth.ts'
import { deployment, now, site } from './views/samples.ts'

/** Characters that most grammars use. */
const common = [...'a1.-/@ \n[<']

const repeated = (units: readonly string[]) => units.map((unit): Shape => ['', unit, ''])

const shapes: readonly Shape[] = [
  ...repeated(joinedWords(common, 2)),
  // What comes before may be an address or a number, and what follows may be the end of neither.
  ...['', 'a@', '1.'].flatMap((begin) =>
    characters.flatMap((unit): Shape[] => [
      [begin, unit, ''],
      [begin, unit, '!'],
    ]),
  ),
  // Marks in falling order, which a normalization has to sort.
  ['a', '\u0315\u0301\u0316\u0327\u0334\u0345', 'z'],
  ['', '%cc%95%cc%81', ''],
  ['', 'xn--a9b.', ''],
]

/** Below these milliseconds, what a function takes is mostly the collection of its garbage. */
const most = { times: 5, anyMs: 20 }

const moreShapes = repeated([...joinedWords(characters, 2), ...joinedWords(common, 3)])

function slowOf(all: readonly Fed[], more: readonly Shape[] = []): string[] {
  return all.flatMap(({ what, work }) => {
    const found = superlinear(work, [...shapes, ...more], most)
    return found === null ? [] : [`${what}: ${found}`]
  })
}

test('every function of a text takes linear time', async () => {
  const all = await functionsOfText()
  expect(all.length).toBeGreaterThan(100)
  expect(slowOf(all, moreShapes)).toEqual([])
})

const options = { now, ownTokens: [] }

test('everything that reads a body takes linear time', () => {
  const announcement = { message: 'fix: it', url: 'https://github.com/ada/engine', category: 'feature' }
  const release = { environment: 'production', version: 'v2.4.0', commit: 'f95f852' }
  const needless = { status: 'success', state: 'success', deployed_at: '2026-03-12T14:03:22Z', env: '' }
  const event = cdevent('deployed', '0.3.0', {
    source: 'git@github.com:ada/engine.git',
    artifactId: 'pkg:oci/engine@v2.4.0?vcs_url=git%40github.com:ada/engine.git&repository_url=ghcr.io/ada',
    customData: { message: 'fix: it', url: announcement.url, commit: release.commit },
  })
  const envelope = { id: '1', source: '/ci', type: event.context.type }
  const deliveries = [
    githubDeployment({ ref: 'v2.4.0', title: 'Deploy it', description: 'To production' }),
    ...[githubRelease(), gitlabDeployment(), gitlabRelease(), forgejoRelease(), forgejoRun()],
  ]
  expect(
    slowOf([
      ...fedInto('an announcement', { ...announcement, ...release, ...needless }, (fields) =>
        parseAnnouncement(fields, options),
      ),
      ...fedInto(
        'history',
        { ...announcement, ...release, deployed_at: needless.deployed_at, key: '1' },
        (item) => parseImportItem(item, options),
      ),
      ...fedInto('a CDEvent', event, (changed) => readEvent(changed, envelope)),
      ...fedInto('a CloudEvent', envelope, (changed) => readEvent({}, changed)),
      ...deliveries.flatMap(({ kind, event, payload }) =>
        fedInto(`${event} of ${kind}`, payload, (changed) => {
          const read =
            kind === 'flux' ? readFluxEvent(changed) : readDelivery(kind, { event, payload: changed })
          return read === null || read === 'ping' ? read : announcementOf(read, options)
        }),
      ),
    ]),
  ).toEqual([])
})

const kinds: readonly IssuerKind[] = ['github', 'gitlab', 'buildkite', 'circleci', 'other']

test('everything that reads a form, an identity or a header takes linear time', () => {
  const filled = <Name extends string>(names: readonly Name[], value = 'a') =>
    Object.fromEntries(names.map((name) => [name, value])) as Record<Name, string>
  const claims = {
    repository: 'ada/engine',
    repository_id: '1',
    repository_owner_id: '2',
    event_name: 'push',
  }
  const others = {
    project_path: 'ada/engine',
    project_id: '3',
    namespace_id: '4',
    sub: 'organization:a:pipeline:b',
  }
  const refs = [
    'workflow_ref',
    'ref',
    'ref_path',
    'ci_config_ref_uri',
    'environment',
    'build_tag',
    'sha',
  ] as const
  const headers = filled(['x-forwarded-for', 'if-none-match', 'accept-encoding', 'cookie'])
  const ofHeaders = [
    clientAddressReader(['127.0.0.1'], () => {}),
    secretCookie('https://ship.example', 'session').read,
    (request: Request) => hasEtag(request, 'W/"1"'),
    textResponder('text'.repeat(1_000), { headers: {} }),
  ] as readonly ((request: Request, server: null) => unknown)[]
  expect(
    slowOf([
      ...fedInto('a token', filled(tokenFields), (typed) => parseToken(typed, 20_000)),
      ...fedInto('a webhook', { ...filled(webhookFields), url: 'https://a.bc/' }, (typed) => [
        parseWebhook(typed, 'public'),
        parseFilter(typed),
      ]),
      ...fedInto('an intake', { ...filled(intakeFields), kind: 'github' }, parseIntake),
      ...fedInto('a report', { reason: 'spam', text: 'a' }, parseReport),
      ...kinds.flatMap((kind) => {
        const issuer = { kind, address: 'https://gitlab.example.org' }
        const form = { issuer: issuer.address, repository: '', workflow: '', environment: '' }
        return [
          ...fedInto(`a publisher of ${kind}`, form, (fields) => parsePublisher(fields, [issuer])),
          ...fedInto(`an identity of ${kind}`, { ...claims, ...others, ...filled(refs) }, (changed) => {
            const read = identityOf(issuer, changed)
            return read.outcome === 'refused' ? read : vouchedBy(issuer, read.identity)
          }),
        ]
      }),
      ...ofHeaders.flatMap((read) =>
        fedInto('a header', headers, (changed) => read(new Request('http://a', { headers: changed }), null)),
      ),
    ]),
  ).toEqual([])
})

test('everything that shows, sends or searches a deployment takes linear time', () => {
  const posted = { message: '✨ Saved searches', url: 'https://github.com/ada/engine', version: 'v2.4.0' }
  const question = { words: ['search', 'engine'], phrases: [['saved', 'searches']] }
  const part = { q: null, user: null, target: null, before: null }
  /** Markup of a message that was drawn before is kept. */
  const another = (one: Deployment) => ({ ...one, message: `${one.message}\n\n${crypto.randomUUID()}` })
  const page = { site, now, viewer: null, token: null, target: null, before: null, after: null }
  const uses: Readonly<Record<string, (one: Deployment) => unknown>> = {
    isByBot,
    wordsOf,
    search: (one) => [hasAll(question, one), hasAny(question, one)],
    record: (one) => recordOf(one, site.baseUrl),
    entry: (one) =>
      String(<DeploymentEntry deployment={another(one)} now={now} {...lookOfFound(question)} />),
    page: (one) => String(<DeploymentPage {...page} deployment={another(one)} />),
    card: (one) => String(<DeploymentCard deployment={one} target={null} days={[]} />),
    feeds: (one) => {
      const entries = { deployments: [one], older: null, updated: now }
      return [
        atomOf(site, channelOf(site, 'atom', part, entries)),
        jsonFeedOf(site, channelOf(site, 'json', part, entries)),
      ]
    },
    ...Object.fromEntries(
      Object.entries(formatRules).map(([format, { content }]: [string, FormatRule]) => [
        `message for ${format}`,
        (one: Deployment) =>
          content({
            url: 'https://chat.example/1',
            events: [{ kind: 'announced', id: one.id, deployment: one, scopes: [], hops: 0 }],
            messageId: '1',
            baseUrl: site.baseUrl,
            now,
            isTest: false,
          }),
      ]),
    ),
  }
  const all = Object.entries(uses).flatMap(([what, use]) =>
    fedInto(what, posted, (changed) => use(deployment(changed))),
  )
  expect(slowOf(all)).toEqual([])
})
