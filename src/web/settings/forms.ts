import { Elysia } from 'elysia'
import { endOtherSessions } from '../../data/sessions.ts'
import { rollToken } from '../../data/tokens.ts'
import { renameUser } from '../../data/users.ts'
import type { Db } from '../../database/db.ts'
import { displayNameReasons } from '../../domain/user.ts'
import { readForm } from '../../http/body.ts'
import { seeOther } from '../../http/respond.ts'
import { sameOrigin } from '../../http/same-origin.ts'
import { type Sessions, session, signedIn } from '../../http/session.ts'
import type { Site } from '../../views/page/site.ts'
import type { Notice } from '../../views/settings/page.tsx'
import { newTokenCookie } from './new-token-cookie.ts'
import { settingsPage } from './page.tsx'

type Options = { db: Db; site: Site; sessions: Sessions }

/** What a form that went well is told about, by the `done` that it redirects with. */
const notices: ReadonlyMap<string | undefined, Notice> = new Map(
  (
    [
      { panel: 'profile', text: 'Your display name is saved.' },
      { panel: 'password', text: 'Your password is changed, and you are signed out everywhere else.' },
      { panel: 'sessions', text: 'You are signed out everywhere else.' },
    ] as const
  ).map((notice) => [notice.panel, notice]),
)

/** GET /settings, and the forms for token, profile and sessions. */
export function settings({ db, site, sessions }: Options) {
  const newToken = newTokenCookie(site.baseUrl)

  return new Elysia({ name: 'settings' })
    .use(sameOrigin(site))
    .use(session(sessions))
    .get('/settings', async (context) => {
      const owner = signedIn(context)
      const token = newToken.read(context.request)
      const props = {
        reasons: {},
        notice: notices.get(context.query.done) ?? null,
      }
      const response = await settingsPage({ db, site, ...owner }, { ...props, newToken: token })
      if (token !== null) response.headers.append('Set-Cookie', newToken.clear())
      return response
    })
    .post(
      '/settings/token',
      async (context) => {
        const { viewer } = signedIn(context)
        const { keep_old } = await readForm(context.request, ['keep_old'])
        const token = await rollToken(db, viewer.id, { keepOld: keep_old === '24h' })
        return seeOther('/settings#token', [newToken.set(token)])
      },
      { parse: 'none' },
    )
    .post(
      '/settings/profile',
      async (context) => {
        const owner = signedIn(context)
        const values = await readForm(context.request, ['name'])
        const reasons = displayNameReasons(values.name)
        if (reasons.length > 0)
          return await settingsPage({ db, site, ...owner }, { values, reasons: { name: reasons } })
        await renameUser(db, owner.viewer.id, values.name)
        return seeOther('/settings?done=profile')
      },
      { parse: 'none' },
    )
    .post(
      '/settings/sessions/end',
      async (context) => {
        const owner = signedIn(context)
        await endOtherSessions(db, owner.viewer.id, owner.session)
        return seeOther('/settings?done=sessions')
      },
      { parse: 'none' },
    )
}
