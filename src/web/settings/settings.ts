import { Elysia } from 'elysia'
import { checklistForm } from './checklist.ts'
import { deleteForm } from './delete.ts'
import { settingsExport } from './export.ts'
import { type SettingsOptions, settingsPage } from './page.tsx'
import { passwordForm } from './password.ts'
import { profileForm } from './profile.ts'
import { publisherForms } from './publishers.ts'
import { sessionsForm } from './sessions.ts'
import { tokenForm } from './token.ts'

/** GET /settings, its forms and the export: one file per path. */
export function settings(options: SettingsOptions) {
  return new Elysia({ name: 'settings' })
    .use(settingsPage(options))
    .use(tokenForm(options))
    .use(checklistForm(options))
    .use(publisherForms(options))
    .use(profileForm(options))
    .use(passwordForm(options))
    .use(sessionsForm(options))
    .use(settingsExport(options))
    .use(deleteForm(options))
}
