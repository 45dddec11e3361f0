import type { AccountEvent } from '../../log/events.ts'
import type { Log } from '../../log/log.ts'
import { onceAMinute } from '../../log/once-a-minute.ts'
import type { ClientAddress } from '../client-address.ts'
import type { Incoming, RequestIds } from './request-id.ts'

/** Anybody can cause these without bound, so they are logged once a minute. */
const unbounded: readonly AccountEvent[] = ['sign_in_throttled', 'form_refused']

/** Logs what happened, from where and to which account, but never what was typed. */
export type SecurityLog = (event: AccountEvent, incoming: Incoming, username?: string | null) => void

type Options = {
  readonly log: Log
  readonly clientAddress: ClientAddress
  readonly requestId: RequestIds
}

export function securityLog({ log, clientAddress, requestId }: Options): SecurityLog {
  const limiters = new Map(unbounded.map((event) => [event, onceAMinute()]))

  return (event, incoming, username) => {
    const { request, server } = incoming
    const keptBack = limiters.get(event)?.(performance.now()) ?? (limiters.has(event) ? null : 0)
    if (keptBack === null) return
    log(event, {
      request: requestId(incoming),
      user: username ?? undefined,
      address: clientAddress(request, server),
      path: new URL(request.url).pathname,
      alikeSinceTheLast: keptBack || undefined,
    })
  }
}
