import { isToken } from '../../domain/token.ts'

const secondsToLive = 60

export type NewTokenCookie = ReturnType<typeof newTokenCookie>

/**
 * Carries a new token from the form to the page that shows it once. The form answers with a redirect, as
 * every form does, so a reload of the page shows it no more and does not roll again.
 */
export function newTokenCookie(baseUrl: string) {
  const secure = baseUrl.startsWith('https:')
  const name = secure ? '__Secure-new-token' : 'new-token'
  const attributes = { httpOnly: true, sameSite: 'lax', path: '/settings', secure } as const

  return {
    read(request: Request): string | null {
      const token = new Bun.CookieMap(request.headers.get('cookie') ?? '').get(name)
      return token !== null && isToken(token) ? token : null
    },
    set(token: string): string {
      return new Bun.Cookie(name, token, { ...attributes, maxAge: secondsToLive }).toString()
    },
    clear(): string {
      return new Bun.Cookie(name, '', { ...attributes, maxAge: 0 }).toString()
    },
  }
}
