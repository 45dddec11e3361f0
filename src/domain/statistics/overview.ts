/** The number of deployments on a UTC day; days without any are left out. */
export type DeploymentDay = {
  /** Whole days since 1 January 1970. */
  readonly day: number
  readonly deployments: number
  /** How many of the latest deployments were rollbacks on that day; missing for none, and where they do not matter. */
  readonly rollbacks?: number | undefined
}

export type DeployedTarget = { readonly target: string; readonly deployedAt: Date }

/** The data above the list on a profile or the page of a project; `now` is the database's clock. */
export type Overview = {
  /** The last `daysInOverview` days, including today, in order. */
  readonly days: readonly DeploymentDay[]
  readonly firstDay: number | null
  /** The same without what was imported (domain/imported.ts). */
  readonly firstAnnouncedDay: number | null
  /** The latest deployments, at most `maxRecent`. */
  readonly recent: readonly Date[]
  readonly targets: readonly DeployedTarget[]
  readonly now: Date
}

/** How many of the latest deployments, and of the latest targets, an overview tells of. */
export const maxRecent = 100

/** 52 weeks and a day: always parts of 53 calendar weeks. */
export const daysInOverview = 365
