import { Elysia } from 'elysia'
import { endChecklist } from '../../data/account/checklist.ts'
import { owner } from '../../http/pages.ts'
import { seeOther } from '../../http/respond.ts'
import type { SettingsOptions } from './page.tsx'

/** POST /settings/checklist: the owner is through with it, or hides it. */
export function checklistForm({ db, pages }: SettingsOptions) {
  return new Elysia({ name: 'settings-checklist' })
    .use(owner(pages))
    .post('/settings/checklist', async ({ viewer }) => {
      await endChecklist(db, viewer.id)
      return seeOther('/settings')
    })
}
