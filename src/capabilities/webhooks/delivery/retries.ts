import { hour, minute } from '../../../domain/time.ts'

/** The time before each further try of an event, in ms. After the last one, the webhook is paused. */
export const retryDelaysMs = [5_000, 30_000, 2 * minute, 10 * minute, hour, 3 * hour, 8 * hour] as const

/** The timeout of a try: after this time without an answer, it has failed. */
export const tryMs = 10_000
/** The same for a message by hand, whose page the owner waits for. */
export const tryByHandMs = 5_000

/** The longest Retry-After that is followed. */
const longestWaitMs = 24 * hour

export type Try = {
  /** Null without an answer. */
  readonly status: number | null
  /** Why there was no answer; null if there was one. */
  readonly error: string | null
  readonly retryAfterMs: number | null
}

type NextStep =
  | { readonly step: 'go_on' }
  | { readonly step: 'retry'; readonly inMs: number }
  | { readonly step: 'pause'; readonly because: string }

/** Whether the receiver took the message. A redirect is a failure, since none is followed. */
export function isDelivered({ status }: Pick<Try, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300
}

/** What happens after a try (docs/decisions.md#webhooks). `failures` counts the failed tries of the event before it. */
export function nextStep(tried: Try, failures: number): NextStep {
  if (isDelivered(tried)) return { step: 'go_on' }
  if (tried.status === 410) return { step: 'pause', because: 'the address answered 410: it is gone' }
  const delayMs = retryDelaysMs[failures]
  if (delayMs === undefined) {
    const because = `${failures + 1} tries in a row failed; the last one: ${outcomeOf(tried)}`
    return { step: 'pause', because }
  }
  // A receiver may ask for more time, but a short Retry-After would use up all tries within seconds.
  return { step: 'retry', inMs: Math.min(Math.max(delayMs, tried.retryAfterMs ?? 0), longestWaitMs) }
}

/** The outcome of a try in a few words: its status, or why there was none. */
export function outcomeOf({ status, error }: Pick<Try, 'status' | 'error'>): string {
  return status === null ? (error ?? 'no answer') : `status ${status}`
}

/** Reads Retry-After (RFC 9110, 10.2.3) as ms from `now`; null if there is none, or it cannot be read. */
export function retryAfterOf(header: string | null, now: Date): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  // Date.parse also takes "-1" and "1.5" for dates.
  const at = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
