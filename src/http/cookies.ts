import { deviceDays, sessionDays } from '../data/account/sessions.ts'
import { isReadKey, isToken } from '../domain/account/token.ts'
import { basePathOf } from '../domain/base-path.ts'

type Options = {
  readonly baseUrl: string
  readonly name: string
  /** The path of the cookie, relative to the public address; '' for the whole server. */
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

/** The cookie with the secret of a browser in which a user has signed in. It stays when the user signs out. */
export function deviceCookie(baseUrl: string): SecretCookie {
  const seconds = deviceDays * 24 * 60 * 60
  return secretCookie({ baseUrl, name: 'device', path: '', seconds, isValid: isSecret })
}

/**
 * The cookie that carries a new token from a form to the page that shows it. The page clears the cookie, so reloading
 * does not show the token again. The answer to the form is a redirect, so reloading does not make a new token either.
 */
export function newTokenCookie(baseUrl: string): SecretCookie {
  return secretCookie({ baseUrl, name: 'new-token', path: '/settings', seconds: 60, isValid: isToken })
}

/** The cookie that does the same for a read key. */
export function newReadKeyCookie(baseUrl: string): SecretCookie {
  return secretCookie({ baseUrl, name: 'new-read-key', path: '/settings', seconds: 60, isValid: isReadKey })
}

/** The cookie that does the same for the id and the secret of an intake. */
export function newIntakeSecretCookie(baseUrl: string): SecretCookie {
  const isValid = (value: string) => /^[\w-]{22}\.[\w-]{43}$/.test(value)
  return secretCookie({ baseUrl, name: 'new-intake-secret', path: '/settings', seconds: 60, isValid })
}

/** The cookie that does the same for the secret of a webhook, which newWebhookSecret makes. */
export function newWebhookSecretCookie(baseUrl: string): SecretCookie {
  const isValid = (value: string) => /^whsec_[A-Za-z0-9+/]{43}=$/.test(value)
  return secretCookie({ baseUrl, name: 'new-webhook-secret', path: '/settings', seconds: 60, isValid })
}

/** A cookie that scripts cannot read. With https, browsers send it only to this host and only over https. */
function secretCookie({ baseUrl, name: plainName, path: below, seconds, isValid }: Options) {
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

/** Whether a value has the form of a secret: 256 bits in base64url. */
function isSecret(value: string): boolean {
  return /^[\w-]{43}$/.test(value)
}
