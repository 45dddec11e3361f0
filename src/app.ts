import type { Server } from 'bun'
import { Elysia } from 'elysia'
import type { Config } from './config.ts'
import { sessionReader } from './data/account/sessions.ts'
import { badgeReader } from './data/latest-in-environment.ts'
import type { Db } from './database/db.ts'
import { redirectsUnderBasePath } from './http/base-path.ts'
import { clientAddressReader, trustedPeer } from './http/client-address.ts'
import type { EventStreams } from './http/event-streams.ts'
import { strictTransport } from './http/headers.ts'
import { accessLog } from './http/log/access-log.ts'
import { answered, toAll } from './http/log/answered.ts'
import { requestIds } from './http/log/request-id.ts'
import { securityLog } from './http/log/security-log.ts'
import { methodNotAllowed } from './http/method-not-allowed.ts'
import { browserPages } from './http/pages.ts'
import type { LiveFeed } from './live/live-feed.ts'
import type { Log } from './log/log.ts'
import type { Metrics } from './metrics/metrics.ts'
import { identityTokensOf } from './outbound/identity-token.ts'
import { passwordLink } from './web/account/password-link.tsx'
import { signIn } from './web/account/sign-in.tsx'
import { signUp } from './web/account/sign-up.tsx'
import { projectPages } from './web/answer-project.tsx'
import { api } from './web/api/announce.ts'
import { deploymentList } from './web/api/deployments.ts'
import { exchangeToken } from './web/api/exchange.ts'
import { liveDeployments } from './web/api/live.ts'
import { revokeToken } from './web/api/revoke.ts'
import { assets } from './web/assets/assets.ts'
import { assetAddresses } from './web/assets/files.ts'
import { badge } from './web/badge/image.ts'
import { embed } from './web/badge/page.tsx'
import { card } from './web/card.ts'
import { ci } from './web/ci.ts'
import { deployment } from './web/deployment.tsx'
import { docs } from './web/docs/page.tsx'
import { live } from './web/feed/live.tsx'
import { feed } from './web/feed/page.tsx'
import { health } from './web/health.ts'
import { problems } from './web/problems.tsx'
import { profile } from './web/profile.tsx'
import { project } from './web/project.ts'
import { settings } from './web/settings/settings.ts'
import { syndication } from './web/syndication.ts'
import { wall } from './web/wall/page.tsx'

type Options = {
  readonly db: Db
  readonly config: Pick<
    Config,
    | 'baseUrl'
    | 'hsts'
    | 'registrationOpen'
    | 'operatorContact'
    | 'sourceUrl'
    | 'trustedProxies'
    | 'rateLimitPerMinute'
    | 'signUpsPerHour'
    | 'accessLog'
    | 'badgeCdn'
    | 'production'
    | 'oidcIssuers'
    | 'oidcAudience'
  >
  /** Whether the process is about to end. */
  readonly isDraining?: () => boolean
  readonly log: Log
  /** What counts, where somebody asks for it. */
  readonly metrics?: Metrics | undefined
  readonly liveFeed: LiveFeed
  readonly streams: EventStreams
}

const serve = {
  // Bun's own error page, for development, would show our source to anybody.
  development: false,
  // Bun's own limit answers without a body, before the token is looked at; http/body-bytes.ts has ours.
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  // Nobody holds a connection longer than 12 s without an answer, however slowly a body drips.
  idleTimeout: 10,
}

/** The whole service except its listening socket. */
export function createApp({
  db,
  config,
  isDraining = () => false,
  log,
  metrics,
  liveFeed,
  streams,
}: Options) {
  const { baseUrl, registrationOpen, operatorContact, sourceUrl, rateLimitPerMinute, signUpsPerHour } = config
  const { oidcIssuers: issuers, oidcAudience: audience } = config
  const site = {
    baseUrl,
    registrationOpen,
    operatorContact,
    sourceUrl,
    issuers,
    audience,
    assets: assetAddresses,
  }
  const clientAddress = clientAddressReader(config.trustedProxies, log)
  const server = (): Server<unknown> | null => app.server
  const requestId = requestIds(trustedPeer(config.trustedProxies, server))
  const tell = securityLog({ log, clientAddress, requestId })
  const onAnswered = toAll([
    ...(config.accessLog === 0 ? [] : [accessLog(config.accessLog, log, requestId)]),
    ...(metrics === undefined ? [] : [metrics.answer]),
  ])
  const pages = browserPages({ baseUrl, readSession: sessionReader(db), tell })
  const readLatest = badgeReader(db)
  const identityTokens = identityTokensOf(config, log)
  const answerProject = projectPages({ db, site })

  // Elysia would look for the path from the 11th character on, which is too far where the Host is short.
  const app = new Elysia({ handler: { standardHostname: false }, serve })
    .use(strictTransport({ baseUrl, hsts: config.hsts }))
    .use(redirectsUnderBasePath({ baseUrl }))
    .use(problems({ site, log, requestId, onAnswered }))
    // Before the hooks that measure all others: it measures itself, which costs it a fifth of theirs.
    .use(badge({ readLatest, hasCdn: config.badgeCdn, onBadge: metrics?.badge, onAnswered }))
    .use(answered(onAnswered))
    .use(health({ db, isDraining }))
    .use(assets({ baseUrl }))
    .use(docs({ site, pages, ratePerMinute: rateLimitPerMinute }))
    .use(signUp({ db, site, pages, clientAddress, signUpsPerHour, tell }))
    .use(signIn({ db, site, pages, clientAddress, tell }))
    .use(passwordLink({ db, site, pages, tell }))
    .use(settings({ db, site, pages, tell }))
    .use(feed({ db, site, pages }))
    .use(live({ db, baseUrl, liveFeed, streams, clientAddress }))
    .use(profile({ db, site, pages }))
    .use(embed({ db, site, pages }))
    .use(deployment({ db, site, pages, answerProject }))
    .use(card({ db, clientAddress }))
    .use(project({ pages, answer: answerProject }))
    .use(ci({ baseUrl, audience }))
    .use(wall({ db, site }))
    .use(syndication({ db, site }))
    .use(deploymentList({ db, baseUrl }))
    .use(liveDeployments({ db, baseUrl, liveFeed, streams, clientAddress }))
    .use(exchangeToken({ db, identityTokens, clientAddress, log, tell }))
    // Last, because the hook of the bearer plugin is global: no other route may run it.
    .use(api({ db, baseUrl, ratePerMinute: rateLimitPerMinute, log, onAnnounced: metrics?.announcement }))
    .use(revokeToken({ db, identityTokens }))
  return app.use(methodNotAllowed(app.routes))
}
