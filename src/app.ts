import { Elysia } from 'elysia'
import type { Config } from './config.ts'
import type { Db } from './data/database.ts'
import { latestDeploymentReader } from './data/latest-deployments.ts'
import { sessionReader } from './data/sessions.ts'
import type { LiveFeed } from './live/live-feed.ts'
import { account } from './web/account.ts'
import { api } from './web/api.ts'
import { assetAddresses } from './web/asset-files.ts'
import { assets } from './web/assets.ts'
import { badge } from './web/badge.ts'
import { clientAddressReader } from './web/client-address.ts'
import { deployment } from './web/deployment.tsx'
import { docs } from './web/docs.tsx'
import { embed } from './web/embed.tsx'
import type { EventStreams } from './web/event-stream.ts'
import { feed } from './web/feed.tsx'
import { health } from './web/health.ts'
import { live } from './web/live.tsx'
import { methodNotAllowed } from './web/method-not-allowed.ts'
import { problems } from './web/problems.tsx'
import { profile } from './web/profile.tsx'
import { sessionCookies } from './web/session.ts'
import { settings } from './web/settings.ts'
import { settingsExport } from './web/settings-export.ts'
import { signIn } from './web/sign-in.tsx'
import { signUp } from './web/sign-up.tsx'
import { streamLimits } from './web/stream-limits.ts'
import { strictTransport } from './web/strict-transport.ts'

type Options = {
  readonly db: Db
  readonly config: Pick<
    Config,
    | 'baseUrl'
    | 'registrationOpen'
    | 'trustedProxies'
    | 'rateLimitPerMinute'
    | 'signUpsPerHour'
    | 'streamsPerAddress'
    | 'streamsMax'
  >
  /** Takes a line for the operator: what failed, without any secret. */
  readonly log: (line: string) => void
  readonly liveFeed: LiveFeed
  readonly streams: EventStreams
}

/** The whole service but its listening socket. */
export function createApp({ db, config, log, liveFeed, streams }: Options) {
  const { baseUrl, registrationOpen, rateLimitPerMinute, signUpsPerHour } = config
  const site = { baseUrl, registrationOpen, assets: assetAddresses }
  const sessions = { readSession: sessionReader(db), cookies: sessionCookies(baseUrl) }
  const clientAddress = clientAddressReader(config.trustedProxies)
  const readLatest = latestDeploymentReader(db)
  const limits = streamLimits({ perAddress: config.streamsPerAddress, total: config.streamsMax })

  // Bun's own error page, for development, would show our source to anybody.
  const app = new Elysia({ serve: { development: false } })
    .use(strictTransport({ baseUrl }))
    .use(problems({ site, log }))
    .use(health({ db }))
    .use(assets())
    .use(badge({ readLatest }))
    .use(docs({ site, sessions, ratePerMinute: rateLimitPerMinute }))
    .use(signUp({ db, site, sessions, clientAddress, signUpsPerHour }))
    .use(signIn({ db, site, sessions, clientAddress }))
    .use(settings({ db, site, sessions }))
    .use(settingsExport({ db, sessions }))
    .use(account({ db, site, sessions }))
    .use(feed({ db, site, sessions }))
    .use(live({ db, liveFeed, streams, limits, clientAddress }))
    .use(profile({ db, site, sessions }))
    .use(embed({ db, site, sessions }))
    .use(deployment({ db, site, sessions }))
    // The bearer plugin's hook is global: last, so that no route but this one runs it.
    .use(api({ db, baseUrl, ratePerMinute: rateLimitPerMinute, log }))

  return app.use(methodNotAllowed(app.routes))
}
