/** A call that was refused, as the owner of its token or publisher sees it. */
export type RefusedCall = {
  readonly status: number
  /** Repeats nothing that the call carried. */
  readonly reason: string
  /** The kind of pipeline that called; null if unknown. */
  readonly source: string | null
  /** The name of the token; null for a publisher. */
  readonly token: string | null
  readonly refusedAt: Date
}

/** How many are kept for a user. */
export const maxRefusedCalls = 20
