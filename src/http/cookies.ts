import { deviceDays, sessionDays } from '../data/account/sessions.ts'
import { isReadKey, isToken } from '../domain/account/token.ts'
import { basePathOf } from '../domain/base-path.ts'

type Options = {
  readonly baseUrl: string
  readonly name: string
  /** Relative to the public address; '' covers all of it. */
  readonly path: '' | `/${string}`
  readonly seconds: number
  readonly isValid: (value: string) => boolean
}

export type SecretCookie = ReturnType<typeof secretCookie>

/** The cookie with the secret of a session. */
export function sessionCookie(baseUrl: string): SecretCookie {
  const seconds = sessionDays * 24 * 60 * 60
  return secretCookie({ baseUrl, name: 'session', path: '', seconds, isValid: isSecret })
}

/** The cookie with the secret of a browser in which a user has signed in. It stays when they sign out. */
export function deviceCookie(baseUrl: string): SecretCookie {
  const seconds = deviceDays * 24 * 60 * 60
  return secretCookie({ baseUrl, name: 'device', path: '', seconds, isValid: isSecret })
}

/**
 * The cookie that carries a new token from the form to the page that shows it once. The form answers with a
 * redirect, so reloading the page neither shows the token again nor rolls it.
 */
export function newTokenCookie(baseUrl: string): SecretCookie {
  return secretCookie({ baseUrl, name: 'new-token', path: '/settings', seconds: 60, isValid: isToken })
}

/** The same for a read key. */
export function newReadKeyCookie(baseUrl: string): SecretCookie {
  return secretCookie({ baseUrl, name: 'new-read-key', path: '/settings', seconds: 60, isValid: isReadKey })
}

/** The same for the id of an intake and its secret. */
export function newIntakeSecretCookie(baseUrl: string): SecretCookie {
  const isValid = (value: string) => /^[\w-]{22}\.[\w-]{43}$/.test(value)
  return secretCookie({ baseUrl, name: 'new-intake-secret', path: '/settings', seconds: 60, isValid })
}

/** The same for the secret of a webhook, as newWebhookSecret makes it. */
export function newWebhookSecretCookie(baseUrl: string): SecretCookie {
  const isValid = (value: string) => /^whsec_[A-Za-z0-9+/]{43}=$/.test(value)
  return secretCookie({ baseUrl, name: 'new-webhook-secret', path: '/settings', seconds: 60, isValid })
}

/** A cookie that scripts cannot read. With https, it is sent only to this host and only over https. */
function secretCookie({ baseUrl, name: plainName, path: below, seconds, isValid }: Options) {
  const secure = baseUrl.startsWith('https:')
  const path = basePathOf(baseUrl) + below || '/'
  const prefix = path === '/' ? '__Host-' : '__Secure-'
  const name = secure ? prefix + plainName : plainName
  const attributes = { httpOnly: true, sameSite: 'lax', path, secure } as const

  return {
    read(request: Request): string | null {
      // Not Elysia's own reader: it turns values that look like JSON into objects.
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

/** 256 bits in base64url. */
function isSecret(value: string): boolean {
  return /^[\w-]{43}$/.test(value)
}
