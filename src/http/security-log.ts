import type { Server } from 'bun'
import type { ClientAddress } from './client-address.ts'
import { onceAMinute } from './log.ts'

/** Anybody can cause these without bound, so they are logged once a minute. */
const unbounded = ['sign_in_throttled', 'form_refused'] as const

export type SecurityEvent =
  | 'signed_up'
  | 'signed_in'
  | 'sign_in_failed'
  | 'signed_out'
  | 'password_refused'
  | 'password_changed'
  | 'token_rolled'
  | 'sessions_ended'
  | 'account_deleted'
  | (typeof unbounded)[number]

type Context = { readonly request: Request; readonly server: Server<unknown> | null }

/** Logs what happened, from where and to which account, but never what was typed. */
export type SecurityLog = (event: SecurityEvent, context: Context, username?: string | null) => void

export function securityLog(log: (line: string) => void, clientAddress: ClientAddress): SecurityLog {
  const limiters = new Map<SecurityEvent, ReturnType<typeof onceAMinute>>(
    unbounded.map((event) => [event, onceAMinute()]),
  )

  return (event, { request, server }, username) => {
    const limiter = limiters.get(event)
    const keptBack = limiter === undefined ? 0 : limiter(Date.now())
    if (keptBack === null) return
    log(
      JSON.stringify({
        at: new Date().toISOString(),
        event,
        user: username ?? undefined,
        address: clientAddress(request, server),
        path: new URL(request.url).pathname,
        alikeSinceTheLast: keptBack || undefined,
      }),
    )
  }
}
