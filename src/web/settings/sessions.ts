import { Elysia } from 'elysia'
import { endOtherSessions } from '../../data/account/sessions.ts'
import { owner } from '../../http/pages.ts'
import { seeOther } from '../../http/respond.ts'
import type { SettingsOptions } from './page.tsx'

/** POST /settings/sessions/end: signs out everywhere else. */
export function sessionsForm({ db, pages, tell }: SettingsOptions) {
  return new Elysia({ name: 'settings-sessions' })
    .use(owner(pages))
    .post('/settings/sessions/end', async ({ request, server, viewer, sessionHash }) => {
      await endOtherSessions(db, viewer.id, sessionHash)
      tell('sessions_ended', { request, server }, viewer.username)
      return seeOther('/settings?done=sessions')
    })
}
