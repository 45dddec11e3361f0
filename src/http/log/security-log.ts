import type { Server } from 'bun'
import type { AccountEvent } from '../../log/events.ts'
import type { Log } from '../../log/log.ts'
import { onceAMinute } from '../../log/once-a-minute.ts'
import type { ClientAddress } from '../client-address.ts'
import type { RequestIds } from './request-id.ts'

/** Anybody can cause these without bound, so they are logged once a minute. */
const unbounded: readonly AccountEvent[] = ['sign_in_throttled', 'form_refused']

type Context = { readonly request: Request; readonly server: Server<unknown> | null }

/** Logs what happened, from where and to which account, but never what was typed. */
export type SecurityLog = (event: AccountEvent, context: Context, username?: string | null) => void

type Options = {
  readonly log: Log
  readonly clientAddress: ClientAddress
  readonly requestId: RequestIds
}

export function securityLog({ log, clientAddress, requestId }: Options): SecurityLog {
  const limiters = new Map(unbounded.map((event) => [event, onceAMinute()]))

  return (event, { request, server }, username) => {
    const keptBack = limiters.get(event)?.(performance.now()) ?? (limiters.has(event) ? null : 0)
    if (keptBack === null) return
    log(event, {
      request: requestId(request),
      user: username ?? undefined,
      address: clientAddress(request, server),
      path: new URL(request.url).pathname,
      alikeSinceTheLast: keptBack || undefined,
    })
  }
}
