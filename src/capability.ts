import type { AnyElysia } from 'elysia'
import type { Command } from './commands/command.ts'
import type { Finding } from './commands/finding.ts'
import type { Config } from './config.ts'
import { type ServiceSettings, serviceSettings } from './data/service-settings.ts'
import type { TableUse } from './data/table-uses/table-use.ts'
import type { Job } from './data/upkeep/upkeep.ts'
import type { Bell, Db, Queries, Report } from './database/db.ts'
import type { PostgresOptions } from './database/postgres/open.ts'
import type { EventStreams } from './http/event-streams.ts'
import type { Door, Entrance, OpenRoutes, Visitors } from './http/visitor.ts'
import type { LiveFeed } from './live/live-feed.ts'
import type { Log } from './log/log.ts'
import type { Described, Observer, ReadGauge } from './observer.ts'
import type { Environment, Variable } from './settings-reader.ts'
import type { DocsText } from './views/docs/docs-text.ts'
import type { Site } from './views/page/site.ts'
import type { PageSlots } from './views/page/slots.ts'
import type { BodyReader } from './web/api/posted.ts'
import type { ApiDescription } from './web/docs/openapi/description.ts'
import type { AnswersBelow } from './web/lists/of-user.ts'
import type { Search } from './web/lists/search.ts'
import type { Dependencies } from './web/route-dependencies.ts'
import type { SettingsSection } from './web/settings/section.ts'

/** A folder of capabilities/ that the service can do without. Each part is optional. */
export type Capability = {
  readonly name: string
  /** The variables of the environment that `configure` reads. */
  readonly variables?: Readonly<Record<string, Variable>>
  readonly commands?: readonly Command[]
  /** Its metrics: counters for `count`, gauges for `gauges`. */
  readonly metrics?: Readonly<Record<string, Described>>
  /** Its lines of `check`, which reads a database of this version. */
  readonly check?: (queries: Queries, facts: CheckedFacts) => Promise<readonly Finding[]>
  /** Reads its settings. Null: they switch it off. Throws ConfigError. */
  readonly configure?: (env: Environment, config: Config) => Configured | null
}

/** What `check` knows: its own settings, and those that the service noted at its start. */
type CheckedFacts = { readonly config: Config; readonly service: ServiceSettings }

type Configured = {
  /** What commands have to know of its settings. */
  readonly noted?: Partial<ServiceSettings>
  /** What pages of the core have to know of them. */
  readonly site?: Partial<Site>
  /** Makes the observer, given all metrics that are described. */
  readonly observe?: (described: readonly (readonly [name: string, metric: Described])[]) => Observer
  /** Its servers that answer reads. */
  readonly standbys?: PostgresOptions['standbys']
  /** Its lines of `check` about servers of its own. */
  readonly check?: () => Promise<readonly Finding[]>
  /** Done by `serve` before it opens the database. Throws DatabaseUnusable. */
  readonly prepare?: (parts: Pick<Service, 'tables'> & { readonly report: Report }) => Promise<void>
  /** What it adds to /docs. */
  readonly docs?: DocsText
  /** What it adds to /openapi.json. */
  readonly openApi?: ApiDescription
  readonly start?: (service: Service) => Brought
}

/** The parts of a process that is starting. Its database may not answer yet. */
export type Service = {
  readonly db: Db
  /** Every table of a dump. */
  readonly tables: readonly TableUse[]
  readonly config: Config
  readonly log: Log
  readonly liveFeed: LiveFeed
  readonly streams: EventStreams
  readonly bell: Bell
  /** Null if nothing measures. */
  readonly observer: Observer | null
}

/** What it brings to a process. */
export type Brought = {
  /** Its way to know visitors: without it, they sign in and up with a password. */
  readonly visitors?: (entrance: Entrance) => Visitors
  /** A plugin that is used before every route, and may close it. */
  readonly gate?: (door: Door) => AnyElysia
  readonly routes?: (dependencies: Dependencies) => AnyElysia
  /** Its routes that stay open where only members may read, and to whom. */
  readonly opened?: OpenRoutes
  /** Of other bodies of POST /api than ours. */
  readonly bodies?: readonly BodyReader[]
  /** What a 404 says at addresses that its settings leave out. */
  readonly missing?: Readonly<Record<string, string>>
  /** What it answers with below the addresses of projects. */
  readonly belowProjects?: AnswersBelow
  readonly settings?: SettingsSection
  /** What it adds to the pages of the core. */
  readonly slots?: PageSlots
  readonly search?: Search
  readonly jobs?: readonly Job[]
  readonly gauges?: Readonly<Record<string, ReadGauge>>
  /** Called whenever the database may have news. */
  readonly onBell?: () => void
  /** Called once the database answers and has our schema. */
  readonly onMigrated?: () => void
  readonly stop?: () => void
}

export type Configuration = {
  readonly config: Config
  readonly service: ServiceSettings
  readonly site: Partial<Site>
  /** Those that are switched on. */
  readonly configured: readonly Configured[]
}

/** Null if nothing measures. */
export function observerOf(
  capabilities: readonly Capability[],
  { configured }: Configuration,
): Observer | null {
  const described = capabilities.flatMap(({ metrics = {} }) => Object.entries(metrics))
  return configured.map(({ observe }) => observe?.(described)).find((one) => one !== undefined) ?? null
}

/** Starts those that are switched on, and has their gauges observed. */
export function startAll({ configured }: Configuration, service: Service): readonly Brought[] {
  const brought = configured.flatMap(({ start }) => (start === undefined ? [] : [start(service)]))
  for (const { gauges = {} } of brought)
    for (const [name, read] of Object.entries(gauges)) service.observer?.gauge(name, read)
  return brought
}

/** Reads the settings of every capability. Throws ConfigError. */
export function configure(
  capabilities: readonly Capability[],
  env: Environment,
  config: Config,
): Configuration {
  const configured = capabilities
    .map((capability) => capability.configure?.(env, config) ?? null)
    .filter((part) => part !== null)
  const noted = configured.map((part) => part.noted ?? {})
  const site: Partial<Site> = Object.assign({}, ...configured.map((part) => part.site))
  return { config, configured, service: serviceSettings(config, noted), site }
}
