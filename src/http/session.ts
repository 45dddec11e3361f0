import { Elysia } from 'elysia'
import { type FoundSession, sessionDays } from '../data/sessions.ts'
import type { User } from '../domain/user.ts'
import { SignInRequired } from './problem.ts'

const secretSpelling = /^[\w-]{43}$/

/** Gives handlers `viewer`, who is signed in, and `session`, the hash of that session; or null for both. */
export function session({ readSession, cookies }: Sessions) {
  return new Elysia({ name: 'session' }).resolve({ as: 'scoped' }, async ({ request }) => {
    const secret = cookies.read(request)
    const found = secret === null ? null : await readSession(secret)
    return { viewer: found?.user ?? null, session: found?.hash ?? null }
  })
}

/** What a resource needs to know its viewer, and to sign them in and out. */
export type Sessions = {
  readonly readSession: (secret: string) => Promise<FoundSession | null>
  readonly cookies: ReturnType<typeof sessionCookies>
}

/** The viewer and session of a page that needs one; sends everybody else to sign in. */
export function signedIn({ viewer, session }: { viewer: User | null; session: string | null }) {
  if (viewer === null || session === null) throw new SignInRequired()
  return { viewer, session }
}

/** How the session's secret travels; with https the browser holds the cookie to this host (`__Host-`). */
export function sessionCookies(baseUrl: string) {
  const secure = baseUrl.startsWith('https:')
  const name = secure ? '__Host-session' : 'session'
  const attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure } as const

  return {
    read(request: Request): string | null {
      // Not Elysia's own reader: it turns values that look like JSON into objects.
      const secret = new Bun.CookieMap(request.headers.get('cookie') ?? '').get(name)
      return secret !== null && secretSpelling.test(secret) ? secret : null
    },
    set(secret: string): string {
      return new Bun.Cookie(name, secret, { ...attributes, maxAge: sessionDays * 24 * 60 * 60 }).toString()
    },
    clear(): string {
      return new Bun.Cookie(name, '', { ...attributes, maxAge: 0 }).toString()
    },
  }
}
