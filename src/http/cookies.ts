import { deviceDays, sessionDays } from '../data/account/sessions.ts'
import { isReadKey, isToken } from '../domain/account/token.ts'
import { basePathOf } from '../domain/base-path.ts'
import { isSigningSecret } from '../domain/webhook/webhook.ts'

const daySeconds = 24 * 60 * 60

/** 256 bits in base64url. */
const secret = /^[\w-]{43}$/

/** Carries a new secret from a form to the page that shows it once: that page clears the cookie. */
const shownOnce = { path: '/settings', seconds: 60 } as const

/** Our cookies. Their paths are relative to the public address. */
const cookies = {
  session: { path: '', seconds: sessionDays * daySeconds, isValid: matches(secret) },
  // Identifies a browser in which a user has signed in. It stays when the user signs out.
  device: { path: '', seconds: deviceDays * daySeconds, isValid: matches(secret) },
  'new-token': { ...shownOnce, isValid: isToken },
  'new-read-key': { ...shownOnce, isValid: isReadKey },
  // Begins with the id of the intake.
  'new-intake-secret': { ...shownOnce, isValid: matches(/^[\w-]{22}\.[\w-]{43}$/) },
  'new-webhook-secret': { ...shownOnce, isValid: isSigningSecret },
} as const

function matches(form: RegExp): (value: string) => boolean {
  return (value) => form.test(value)
}

/** A cookie that scripts cannot read. With https, browsers send it only to this host and only over https. */
export function secretCookie(baseUrl: string, plainName: keyof typeof cookies) {
  const { path: below, seconds, isValid } = cookies[plainName]
  const secure = baseUrl.startsWith('https:')
  const path = basePathOf(baseUrl) + below || '/'
  const prefix = path === '/' ? '__Host-' : '__Secure-'
  const name = secure ? prefix + plainName : plainName
  const attributes = { httpOnly: true, sameSite: 'lax', path, secure } as const

  return {
    read(request: Request): string | null {
      // Elysia's own reader of cookies would turn values that look like JSON into objects.
      const value = new Bun.CookieMap(request.headers.get('cookie') ?? '').get(name)
      return value !== null && isValid(value) ? value : null
    },
    set(value: string): string {
      return new Bun.Cookie(name, value, { ...attributes, maxAge: seconds }).toString()
    },
    clear(): string {
      return new Bun.Cookie(name, '', { ...attributes, maxAge: 0 }).toString()
    },
  }
}
