import { Elysia } from 'elysia'
import { rollToken } from '../../data/tokens.ts'
import { readForm } from '../../http/body.ts'
import { newTokenCookie } from '../../http/cookies.ts'
import { owner } from '../../http/pages.ts'
import { seeOther } from '../../http/respond.ts'
import type { SettingsOptions } from './page.tsx'

/** POST /settings/token: generates a token or rolls it. */
export function tokenForm({ db, site, pages }: SettingsOptions) {
  const cookie = newTokenCookie(site.baseUrl)

  return new Elysia({ name: 'settings-token' })
    .use(owner(pages))
    .post('/settings/token', async ({ request, viewer }) => {
      const { keep_old } = await readForm(request, ['keep_old'])
      const token = await rollToken(db, viewer.id, { keepOld: keep_old === '24h' })
      return seeOther('/settings#token', [cookie.set(token)])
    })
}
