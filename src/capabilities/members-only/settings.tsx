import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { hashSecret } from '../../data/account/tokens.ts'
import type { Db } from '../../database/db.ts'
import { onceCookie } from '../../http/cookies.ts'
import { SignInRequired } from '../../http/problem.ts'
import { seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import { type SettingsOptions, settingsForms } from '../../web/settings/form.tsx'
import type { SettingsPanel } from '../../web/settings/section.ts'
import { ReadKeyPanel } from './page.tsx'
import { isReadKey } from './rules.ts'
import { findReadKey, rollReadKey } from './store.ts'

const cookieOf = (baseUrl: string) => onceCookie(baseUrl, 'new-read-key', isReadKey)

/** The panel of a user's read key. */
export const readKeyPanel = (db: Db, baseUrl: string): SettingsPanel => ({
  id: 'read-key',
  name: 'Read key',
  async read({ id }) {
    const readKey = await findReadKey(db, id)
    return ({ done: _, secret, ...panel }) => (
      <ReadKeyPanel
        {...panel}
        readKey={readKey}
        newKey={secret !== null && hashSecret(secret) === readKey?.hash ? secret : null}
      />
    )
  },
  secret: cookieOf(baseUrl),
})

/** The form of that panel. */
export function readKeyForm(options: SettingsOptions) {
  const { db, site, pages, logSecurity } = options
  const { form, recentlyConfirmed } = settingsForms(options)
  const cookie = cookieOf(site.baseUrl)

  return new Elysia({ name: 'settings-read-key' }).use(owner(pages)).post(
    '/settings/read-key',
    form('read-key', ['password'], async (context, { password }) => {
      const { user } = context.visitor
      await recentlyConfirmed(context, password)
      const key = await rollReadKey(db, user.id)
      if (key === null) throw new SignInRequired()
      logSecurity('read_key_rolled', context, user.username)
      return seeOther('/settings#read-key', [cookie.set(key)])
    }),
  )
}
