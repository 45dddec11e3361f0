/** The number of deployments on a UTC day; days without any are left out. */
export type DeploymentDay = {
  /** Whole days since 1 January 1970. */
  readonly day: number
  readonly deployments: number
}

/** A target that a user deploys to, and when they last did. */
export type DeployedTarget = { readonly target: string; readonly deployedAt: Date }

/** What a profile, or the page of a project, shows besides the list; `now` is the database's. */
export type Overview = {
  /** Of the last `daysInOverview` days, today included, in order. */
  readonly days: readonly DeploymentDay[]
  /** The day of the first deployment, null if there was none. */
  readonly firstDay: number | null
  /** The instants of the last hundred deployments, the newest first. */
  readonly recent: readonly Date[]
  /** The hundred most recently deployed to, the newest first. */
  readonly targets: readonly DeployedTarget[]
  readonly now: Date
}

/** 52 weeks and a day, which touch 53 calendar weeks whatever day today is. */
export const daysInOverview = 365
