/** How many deployments a day saw, a day in UTC; days that saw none have none of these. */
export type DeploymentDay = {
  /** Whole days since 1 January 1970. */
  readonly day: number
  readonly deployments: number
}

/** What a user deploys to, and when they last did; `target` is as domain/project.ts cuts it. */
export type DeployedTarget = { readonly target: string; readonly deployedAt: Date }

/** What a profile tells of its user besides the list; `now` is the database's. */
export type Overview = {
  /** Those of the last `daysInOverview` days, the present one included, in their order. */
  readonly days: readonly DeploymentDay[]
  /** The instants of the last hundred deployments, the newest first. */
  readonly recent: readonly Date[]
  /** The hundred that were deployed to last, the newest first. */
  readonly targets: readonly DeployedTarget[]
  /** Of all targets, counted up to `maxTargetCount`. */
  readonly targetCount: number
  readonly now: Date
}

/** 52 weeks and a day: whatever today is, they touch 53 weeks. */
export const daysInOverview = 365

export const maxTargetCount = 1_000
