import type { Log } from '../../log/log.ts'
import type { OnAnswered } from './answered.ts'
import { requestFacts } from './request-facts.ts'
import type { RequestIds } from './request-id.ts'

/** Logs this share of all requests, 0 to 1, drawn by lot. */
export function accessLog(share: number, log: Log, requestId: RequestIds): OnAnswered {
  return (answered) => {
    if (Math.random() < share) log('request', requestFacts(answered, requestId))
  }
}
