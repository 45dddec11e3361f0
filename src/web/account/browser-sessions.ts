import { openSession, type Visitor } from '../../data/account/sessions.ts'
import type { Db } from '../../database/db.ts'
import { secretCookie } from '../../http/cookies.ts'
import { SignInRequired } from '../../http/problem.ts'

/** Signs browsers in and out, with a cookie for the session and one for the device. */
export function browserSessions({ db, baseUrl }: { db: Db; baseUrl: string }) {
  const ofSession = secretCookie(baseUrl, 'session')
  const ofDevice = secretCookie(baseUrl, 'device')

  return {
    /** The secret of the browser's device; null if no one has signed in with it before. */
    deviceOf: ofDevice.read,

    /**
     * Signs a user in, replaces the session of `visitor`, and returns the cookies. Throws SignInRequired if the
     * user was deleted.
     */
    async open(request: Request, userId: number, visitor: Visitor | null): Promise<string[]> {
      const userAgent = request.headers.get('user-agent') ?? ''
      const opened = await openSession(db, userId, {
        userAgent,
        device: ofDevice.read(request),
        sessionHash: visitor?.sessionHash ?? null,
      })
      if (opened === null) throw new SignInRequired()
      return [ofSession.set(opened.session), ofDevice.set(opened.device)]
    },

    /** The cookies of a browser that signs out. It stays a known device. */
    close: () => [ofSession.clear()],
  }
}
