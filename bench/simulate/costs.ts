/** In µs: for each call, and once for its batch. */
export type Cost = { readonly each: number; readonly once: number }

/** All costs as `npm run bench -- costs` measures them. CPU time in µs unless said otherwise. */
export type Costs = {
  readonly badge: { readonly ours: Cost; readonly postgres: Cost; readonly bytes: number }
  readonly announcement: {
    readonly ours: Cost
    readonly postgres: Cost
    /** How long a batch keeps all others out, in µs by the clock. */
    readonly alone: Cost
    /** How much longer a batch takes if a standby has to apply it first, without the time of the network. */
    readonly awaited: number
    /** How much a standby spends on applying an announcement. */
    readonly replayed: number
  }
  /** The read of a process with watchers at each notification, once per batch of announcements. */
  readonly bell: { readonly ours: number; readonly postgres: number }
  readonly watcher: {
    /** Opening a stream, which happens again about every 30 minutes. */
    readonly opened: { readonly ours: number; readonly postgres: number }
    /** Each event that is sent to a watcher. */
    readonly event: number
    readonly eventBytes: number
    readonly kilobytes: number
  }
  /** The memory of a process under load, without its watchers. */
  readonly megabytes: number
}

/** Measured on two shared cores of an AMD EPYC that did nothing else (docs/figures.md#costs). */
export const measured: Costs = {
  badge: { ours: { each: 15.3, once: 72.2 }, postgres: { each: 3.83, once: 46.6 }, bytes: 1_007 },
  announcement: {
    ours: { each: 76.8, once: 164 },
    postgres: { each: 140, once: 349 },
    alone: { each: 172, once: 511 },
    awaited: 465,
    replayed: 24.3,
  },
  bell: { ours: 500, postgres: 300 },
  watcher: { opened: { ours: 50, postgres: 10 }, event: 8.35, eventBytes: 1_092, kilobytes: 5.4 },
  megabytes: 232,
}
