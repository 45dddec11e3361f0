import type { Server } from 'bun'
import { type AnyElysia, Elysia } from 'elysia'
import { type Brought, type Configuration, type Service, startAll } from './capability.ts'
import { sessionReader } from './data/account/sessions.ts'
import { badgeReader } from './data/badges/reader.ts'
import { eventLog } from './data/event-log.ts'
import { isOutage } from './database/errors.ts'
import { clientAddressReader, trustedPeer } from './http/client-address.ts'
import { concurrentRequests } from './http/concurrent-requests.ts'
import { redirectsUnderBasePath, strictTransport } from './http/headers.ts'
import { KeptPages } from './http/kept-pages.ts'
import { boundedHost, methodNotAllowed } from './http/problem.ts'
import { accessLog, reportAnswers, requestIds, toAll } from './http/request-log.ts'
import { securityLog } from './http/security-log.ts'
import { browserPages, type OpenRoutes, visitorReader } from './http/visitor.ts'
import { liveFeed } from './live/live-feed.ts'
import type { Site } from './views/page/site.ts'
import { joinSlots } from './views/page/slots.ts'
import { passwordLink } from './web/account/password-link.tsx'
import { signIn } from './web/account/sign-in.tsx'
import { signUp } from './web/account/sign-up.tsx'
import { announcements } from './web/api/announce.ts'
import { deploymentList, oneDeployment, withdrawal } from './web/api/deployments.ts'
import { liveDeployments } from './web/api/live-deployments.ts'
import { ownToken } from './web/api/tokens.ts'
import { assetAddresses, assets, exampleBadgeAddress } from './web/assets.ts'
import { badge } from './web/badge/image.ts'
import { embed } from './web/badge/page.tsx'
import { year, yearsBelow } from './web/badge/year.ts'
import { deployment } from './web/deployment.tsx'
import { docs } from './web/docs/docs.tsx'
import { problemAnswers } from './web/error-handler.tsx'
import { feedStream } from './web/feed/feed-stream.tsx'
import { feed } from './web/feed/page.ts'
import { health } from './web/health.ts'
import { profile } from './web/profile.ts'
import { project, projectPages } from './web/project.ts'
import type { Dependencies } from './web/route-dependencies.ts'
import { securityTxt } from './web/security-txt.ts'
import { settings } from './web/settings/page.ts'
import { status } from './web/status.tsx'

type Options = Pick<Service, 'db' | 'tables' | 'log' | 'streams' | 'observer'> & {
  readonly configuration: Configuration
  readonly isDraining?: () => boolean
}

/** Starts the capabilities, and puts together all of the service except its listening socket. */
export function assemble({ configuration, isDraining = () => false, ...parts }: Options) {
  const feed = liveFeed(eventLog(parts.db))
  let brought: readonly Brought[] = []
  const bell = parts.db.hearBell(() => {
    feed.look()
    for (const { onBell } of brought) onBell?.()
  })
  const service: Service = { ...parts, config: configuration.config, liveFeed: feed, bell }
  brought = startAll(configuration, service)
  return {
    app: appOf(service, { configuration, brought, isDraining }),
    feed,
    bell,
    jobs: brought.flatMap(({ jobs = [] }) => jobs),
    /** To be called once the database answers and has our schema. */
    onMigrated(): void {
      for (const { onMigrated } of brought) onMigrated?.()
    },
    stop(): void {
      feed.close()
      for (const { stop } of brought) stop?.()
    },
  }
}

const serve = {
  // Bun's error page for development would show our source.
  development: false,
  // Bun's own limit would answer without a body, and before the token is checked. Ours is in http/body.ts.
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  // With this, no connection stays open without an answer for longer than 12 s, however slowly its body arrives.
  idleTimeout: 10,
}

type Around = Required<Pick<Options, 'configuration' | 'isDraining'>> & {
  readonly brought: readonly Brought[]
}

function appOf(service: Service, { configuration, brought, isDraining }: Around) {
  const { db, tables, config, log, observer, streams } = service
  const { baseUrl, operatorContact, sourceUrl } = config
  const { configured } = configuration
  const knowVisitors = brought.map(({ visitors }) => visitors).find((one) => one !== undefined)
  const hasPasswords = knowVisitors === undefined
  const sections = brought.flatMap(({ settings: section }) => section ?? [])
  const search = brought.map((one) => one.search).find((one) => one !== undefined) ?? null
  const missing: Readonly<Record<string, string>> = Object.assign({}, ...brought.map((one) => one.missing))
  const site: Site = {
    ...{ baseUrl, operatorContact, sourceUrl },
    membersOnly: false,
    publicBadges: true,
    registrationOpen: config.registrationOpen && hasPasswords,
    hasPasswords,
    issuers: [],
    audience: baseUrl,
    slots: joinSlots(brought.map(({ slots = {} }) => slots)),
    search: search?.onPages ?? null,
    assets: assetAddresses,
    ...configuration.site,
  }
  const clientAddress = clientAddressReader(config.trustedProxies, log)
  const server = (): Server<unknown> | null => app.server
  const isFromTrustedProxy = trustedPeer(config.trustedProxies, server)
  const requestId = requestIds(isFromTrustedProxy)
  const logSecurity = securityLog(log, clientAddress, requestId)
  const onAnswered = toAll([
    ...(config.accessLog === 0 ? [] : [accessLog(config.accessLog, log, requestId)]),
    ...(observer === null ? [] : [observer.answered]),
  ])
  const visitors = knowVisitors?.({
    isFromTrustedProxy,
    onCreated: (request, { username }) => logSecurity('signed_up', { request, server: server() }, username),
  })
  const visitorOf = visitors?.visitorOf ?? visitorReader(baseUrl, sessionReader(db))
  const kept = new KeptPages()
  const hasCdn = config.badgeCdn && site.publicBadges
  const years = yearsBelow(db)
  const below = [years, ...brought.map(({ belowProjects = {} }) => belowProjects)]
  const dependencies: Dependencies = {
    db,
    tables,
    site,
    sections,
    baseUrl,
    log,
    logSecurity,
    clientAddress,
    search,
    liveFeed: service.liveFeed,
    streams,
    kept,
    pages: browserPages(baseUrl, visitorOf, logSecurity, isOutage),
    answerProject: projectPages({ db, site, kept, clientAddress, below }),
    ratePerMinute: config.rateLimitPerMinute,
    signUpsPerHour: config.signUpsPerHour,
    onAnnounced: observer?.announced,
    bodies: brought.flatMap(({ bodies = [] }) => bodies),
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
    .use(problemAnswers({ site, log, missing, requestId, onAnswered, refusalOf: visitors?.refusalOf }))
  const opened: OpenRoutes = Object.assign({}, ...brought.map((one) => one.opened))
  // Before all routes, so that each is closed unless a gate says otherwise.
  for (const { gate } of brought) if (gate !== undefined) app.use(gate({ visitorOf, takes, opened }))
  app
    // Before the hooks that measure all other routes: badges measure themselves, at a fifth of the cost.
    .use(badge({ read: badgeReader(db), hasCdn, onBadge: observer?.badge, onAnswered }))
    .use(reportAnswers(onAnswered))
    .use(health({ db, isDraining }))
    .use(assets(site))
    .use(securityTxt(site))
    // After images and probes: image proxies and balancers send very many requests from a few addresses.
    .use(concurrentRequests(clientAddress, config.streamsPerAddress))
    .use(
      docs({
        ...dependencies,
        picture: exampleBadgeAddress,
        added: configured.flatMap(({ docs: text }) => text ?? []),
        described: configured.flatMap(({ openApi }) => openApi ?? []),
      }),
    )
    .use(
      hasPasswords
        ? new Elysia().use(signUp(dependencies)).use(signIn(dependencies)).use(passwordLink(dependencies))
        : new Elysia(),
    )
    .use(settings(dependencies))
    .use(status(dependencies))
    .use(feed(dependencies))
    .use(feedStream(dependencies))
    .use(profile(dependencies))
    .use(embed(dependencies))
    .use(deployment(dependencies))
    .use(year({ years }))
    .use(project(dependencies))
    .use(deploymentList(dependencies))
    .use(oneDeployment(dependencies))
    .use(liveDeployments(dependencies))
    .use(announcements(dependencies))
    .use(withdrawal(dependencies))
    .use(ownToken(dependencies))
  for (const { routes } of brought) if (routes !== undefined) app.use(routes(dependencies))
  for (const { method, path } of app.routes) taken.add(`${method} ${path}`)
  return app.use(methodNotAllowed(app.routes))
}
