import type { Server } from 'bun'
import type { AccountEvent } from '../log/events.ts'
import { type Log, onceAMinute } from '../log/log.ts'
import type { ClientAddress } from './client-address.ts'
import type { RequestIds } from './request-log.ts'

/** Anonymous visitors can cause these any number of times, so each is logged at most once a minute. */
const unbounded: readonly AccountEvent[] = ['sign_in_throttled', 'form_refused']

type Context = { readonly request: Request; readonly server: Server<unknown> | null }

export type SecurityLog = (event: AccountEvent, context: Context, username?: string | null) => void

export function securityLog(log: Log, clientAddress: ClientAddress, requestId: RequestIds): SecurityLog {
  const seldom = new Map(unbounded.map((event) => [event, onceAMinute(log)]))

  return (event, { request, server }, username) => {
    const write = seldom.get(event) ?? log
    write(event, () => ({
      request: requestId(request),
      user: username ?? undefined,
      address: clientAddress(request, server),
      path: URL.parse(request.url)?.pathname,
    }))
  }
}
