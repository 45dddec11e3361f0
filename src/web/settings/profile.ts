import { Elysia } from 'elysia'
import { renameUser } from '../../data/account/users.ts'
import { displayNameReasons } from '../../domain/account/user.ts'
import { readForm } from '../../http/body.ts'
import { owner } from '../../http/pages.ts'
import { seeOther } from '../../http/respond.ts'
import { type SettingsOptions, settingsRenderer } from './page.tsx'

/** POST /settings/profile: a new display name. */
export function profileForm(options: SettingsOptions) {
  const render = settingsRenderer(options)

  return new Elysia({ name: 'settings-profile' })
    .use(owner(options.pages))
    .post('/settings/profile', async ({ request, viewer, sessionHash, hasJustSignedIn }) => {
      const visitor = { viewer, sessionHash, hasJustSignedIn }
      const values = await readForm(request, ['name'])
      const reasons = displayNameReasons(values.name.trim())
      if (reasons.length > 0) {
        return await render(visitor, { panel: 'profile', values, reasons: { name: reasons } })
      }
      await renameUser(options.db, viewer.id, values.name.trim())
      return seeOther('/settings?done=profile')
    })
}
