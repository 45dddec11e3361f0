import type { Server } from 'bun'
import type { AccountEvent } from '../log/events.ts'
import { type Log, onceAMinute } from '../log/log.ts'
import type { ClientAddress } from './client-address.ts'
import type { RequestIds } from './request-log.ts'

/** Events that anonymous visitors can cause any number of times. Each is logged at most once a minute. */
const unbounded: readonly AccountEvent[] = ['sign_in_throttled', 'form_refused']

type Context = { readonly request: Request; readonly server: Server<unknown> | null }

/**
 * Logs an event that concerns accounts, with the username if there is one, the client's address, the path and the id of
 * the request, but never anything that was typed.
 */
export type SecurityLog = (event: AccountEvent, context: Context, username?: string | null) => void

type Options = {
  readonly log: Log
  readonly clientAddress: ClientAddress
  readonly requestId: RequestIds
}

export function securityLog({ log, clientAddress, requestId }: Options): SecurityLog {
  const seldom = new Map(unbounded.map((event) => [event, onceAMinute(log)]))

  return (event, { request, server }, username) => {
    const write = seldom.get(event) ?? log
    write(event, () => ({
      request: requestId(request),
      user: username ?? undefined,
      address: clientAddress(request, server),
      path: new URL(request.url).pathname,
    }))
  }
}
