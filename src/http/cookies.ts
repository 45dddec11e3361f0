import { deviceDays, sessionDays } from '../data/account/sessions.ts'
import { basePathOf } from '../domain/base-path.ts'

const daySeconds = 24 * 60 * 60

/** 256 bits in base64url. */
const secret = /^[\w-]{43}$/

type Rule = {
  /** Relative to the public address. */
  readonly path: string
  readonly seconds: number
  readonly isValid: (value: string) => boolean
}

const isSecret = (value: string) => secret.test(value)

/** A device identifies a browser in which a user has signed in. Its cookie stays when the user signs out. */
const days = { session: sessionDays, device: deviceDays }

export type SecretCookie = ReturnType<typeof cookieOf>

/** A cookie of a browser in which a user has signed in. */
export function secretCookie(baseUrl: string, name: keyof typeof days): SecretCookie {
  return cookieOf(baseUrl, name, { path: '', seconds: days[name] * daySeconds, isValid: isSecret })
}

/** A cookie that carries a new secret from a form of the settings to the page that shows it once, by `showOnce`. */
export function onceCookie(baseUrl: string, name: string, isValid = isSecret): SecretCookie {
  return cookieOf(baseUrl, name, { path: '/settings', seconds: 60, isValid })
}

/** Gives a page the secrets that the request carries in these cookies, null for none, and clears those cookies. */
export async function showOnce(
  request: Request,
  cookies: readonly SecretCookie[],
  page: (secretIn: (cookie: SecretCookie) => string | null) => Promise<Response>,
): Promise<Response> {
  const secrets = new Map(cookies.map((cookie) => [cookie, cookie.read(request)]))
  const response = await page((cookie) => secrets.get(cookie) ?? null)
  for (const [cookie, carried] of secrets)
    if (carried !== null) response.headers.append('Set-Cookie', cookie.clear())
  return response
}

/** A cookie that scripts cannot read. With https, browsers send it only to this host and only over https. */
function cookieOf(baseUrl: string, plainName: string, { path: below, seconds, isValid }: Rule) {
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
