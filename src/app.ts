import type { Server } from 'bun'
import { type AnyElysia, Elysia } from 'elysia'
import type { Config } from './config.ts'
import { unmatchable } from './data/account/passwords.ts'
import { readersOf } from './data/account/read-keys.ts'
import { sessionReader } from './data/account/sessions.ts'
import { createUser, namedUserReader } from './data/account/users.ts'
import { badgeReader } from './data/badges.ts'
import { isOutage } from './database/errors.ts'
import { clientAddressReader, trustedPeer } from './http/client-address.ts'
import { concurrentRequests } from './http/concurrent-requests.ts'
import { redirectsUnderBasePath, strictTransport } from './http/headers.ts'
import { KeptPages } from './http/kept-pages.ts'
import { membersOnly } from './http/members-only.ts'
import { boundedHost, methodNotAllowed } from './http/problem.ts'
import { accessLog, reportAnswers, requestIds, toAll } from './http/request-log.ts'
import { securityLog } from './http/security-log.ts'
import { trustedUsers } from './http/trusted-user.ts'
import { browserPages, visitorReader } from './http/visitor.ts'
import type { Metrics } from './metrics/metrics.ts'
import { identityTokensOf } from './outbound/identity-token.ts'
import { passwordLink } from './web/account/password-link.tsx'
import { signIn } from './web/account/sign-in.tsx'
import { signUp } from './web/account/sign-up.tsx'
import { announcements } from './web/api/announce.ts'
import { current } from './web/api/current.ts'
import { deploymentList, oneDeployment, withdrawal } from './web/api/deployments.ts'
import { importing } from './web/api/import.ts'
import { forgeCalls } from './web/api/intake.ts'
import { liveDeployments } from './web/api/live-deployments.ts'
import { exchangeToken, ownToken, revokeToken } from './web/api/tokens.ts'
import { assetAddresses, assets, exampleBadgeAddress } from './web/assets.ts'
import { badge } from './web/badge/image.ts'
import { embed } from './web/badge/page.tsx'
import { deployment, report } from './web/deployment.tsx'
import { docs } from './web/docs/docs.tsx'
import { problemAnswers } from './web/error-handler.tsx'
import { feedStream } from './web/feed/feed-stream.tsx'
import { feed } from './web/feed/page.ts'
import { health } from './web/health.ts'
import { pictureRoutes, picturesOf } from './web/pictures.ts'
import { environments, profile } from './web/profile.tsx'
import { project, projectPages } from './web/project.ts'
import type { Dependencies } from './web/route-dependencies.ts'
import { securityTxt } from './web/security-txt.ts'
import { intakeSettings } from './web/settings/intakes.tsx'
import { settings } from './web/settings/page.ts'
import { webhookSettings } from './web/settings/webhooks.tsx'
import { status } from './web/status.tsx'
import { syndication } from './web/syndication.ts'
import { wall } from './web/wall.tsx'
import type { Webhooks } from './webhooks.ts'

type Options = Pick<Dependencies, 'db' | 'log' | 'liveFeed' | 'streams'> & {
  readonly config: Config
  readonly isDraining?: () => boolean
  /** The counters, if METRICS_PORT is set. */
  readonly metrics?: Metrics | undefined
  /** Undefined if WEBHOOKS is off. */
  readonly webhooks?: Webhooks | undefined
}

const serve = {
  // Bun's error page for development would show our source.
  development: false,
  // Bun's own limit would answer without a body, and before the token is checked. Ours is in http/body.ts.
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  // With this, no connection stays open without an answer for longer than 12 s, however slowly its body arrives.
  idleTimeout: 10,
}

/** The whole service except its listening socket. */
export function createApp(options: Options) {
  const { db, config, isDraining = () => false, log, metrics, liveFeed, streams, webhooks } = options
  const { baseUrl, publicBadges, trustedUser, operatorContact, sourceUrl, takesReports } = config
  const site = {
    ...{ baseUrl, publicBadges, operatorContact, sourceUrl, takesReports },
    membersOnly: config.membersOnly,
    registrationOpen: config.registrationOpen && trustedUser === null,
    hasPasswords: trustedUser === null,
    issuers: config.oidcIssuers,
    audience: config.oidcAudience,
    hasWebhooks: webhooks !== undefined,
    assets: assetAddresses,
  }
  const clientAddress = clientAddressReader(config.trustedProxies, log)
  const server = (): Server<unknown> | null => app.server
  const isFromTrustedProxy = trustedPeer(config.trustedProxies, server)
  const requestId = requestIds(isFromTrustedProxy)
  const logSecurity = securityLog(log, clientAddress, requestId)
  const onAnswered = toAll([
    ...(config.accessLog === 0 ? [] : [accessLog(config.accessLog, log, requestId)]),
    ...(metrics === undefined ? [] : [metrics.answer]),
  ])
  const proxied =
    trustedUser &&
    trustedUsers({
      headers: trustedUser,
      isFromTrustedProxy,
      findUser: namedUserReader(db),
      createUser: config.registrationOpen
        ? (account) => createUser(db, { ...account, passwordHash: unmatchable })
        : null,
      onCreated: (request, { username }) => logSecurity('signed_up', { request, server: server() }, username),
      log,
    })
  const visitorOf = proxied?.visitorOf ?? visitorReader(baseUrl, sessionReader(db))
  const kept = new KeptPages()
  const hasCdn = config.badgeCdn && publicBadges
  const pictures = picturesOf({ db, site, addressOf: (request) => clientAddress(request, server()) })
  const dependencies: Dependencies = {
    ...{ db, site, baseUrl, log, logSecurity, clientAddress, liveFeed, streams, kept },
    pages: browserPages(baseUrl, visitorOf, logSecurity, isOutage),
    answerProject: projectPages({ db, site, pictureOf: pictures.ofUser, kept }),
    identityTokens: identityTokensOf(config, log),
    ratePerMinute: config.rateLimitPerMinute,
    signUpsPerHour: config.signUpsPerHour,
    onAnnounced: metrics?.announcement,
  }

  const taken = new Set<string>()
  const takes = (method: string, route: string) =>
    taken.has(`${method} ${route}`) || taken.has(`ALL ${route}`)

  // By default, Elysia looks for the path from the 11th character on, which is too late if the Host is short.
  const app: AnyElysia = new Elysia({ handler: { standardHostname: false }, serve })
  // The routes of this type are any, because the types of all routes together are too deep for the compiler.
  app
    .use(boundedHost())
    .use(strictTransport(baseUrl, config.hsts))
    .use(redirectsUnderBasePath(baseUrl))
    .use(problemAnswers({ site, log, requestId, onAnswered, refusalOf: proxied?.refusalOf }))
    // Before all routes, so that each is closed unless the tables in http/members-only.ts say otherwise.
    .use(membersOnly({ site, visitorOf, readers: readersOf(db), takes }))
    // Before the hooks that measure all other routes: badges measure themselves, at a fifth of the cost.
    .use(badge({ read: badgeReader(db), hasCdn, onBadge: metrics?.badge, onAnswered }))
    .use(reportAnswers(onAnswered))
    .use(health({ db, isDraining }))
    .use(assets(site))
    .use(securityTxt(site))
    // After images and probes: image proxies and balancers send very many requests from a few addresses.
    .use(concurrentRequests(clientAddress, config.streamsPerAddress))
    .use(docs({ ...dependencies, picture: exampleBadgeAddress }))
    .use(
      trustedUser === null
        ? new Elysia().use(signUp(dependencies)).use(signIn(dependencies)).use(passwordLink(dependencies))
        : new Elysia(),
    )
    .use(settings(dependencies))
    .use(intakeSettings(dependencies))
    .use(status(dependencies))
    .use(
      webhooks === undefined
        ? new Elysia()
        : webhookSettings({ ...dependencies, reach: config.webhooks, webhooks }),
    )
    .use(feed(dependencies))
    .use(feedStream(dependencies))
    .use(profile(dependencies))
    .use(embed(dependencies))
    .use(environments(dependencies))
    .use(deployment(dependencies))
    .use(takesReports ? report(dependencies) : new Elysia())
    .use(pictureRoutes({ ...dependencies, pictures }))
    .use(project(dependencies))
    .use(wall(dependencies))
    .use(syndication(dependencies))
    .use(deploymentList(dependencies))
    .use(oneDeployment(dependencies))
    .use(current(dependencies))
    .use(liveDeployments(dependencies))
    .use(exchangeToken(dependencies))
    .use(forgeCalls(dependencies))
    // Last, because the hook of the bearer plugin is global, and no other route may run it.
    .use(announcements(dependencies))
    .use(withdrawal(dependencies))
    .use(ownToken(dependencies))
    .use(importing(dependencies))
    .use(revokeToken(dependencies))
  for (const { method, path } of app.routes) taken.add(`${method} ${path}`)
  return app.use(methodNotAllowed(app.routes))
}
