import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { changeOwned, deleteOwned } from '../../data/account/owned.ts'
import { databaseNow } from '../../database/db.ts'
import { onceCookie, showOnce } from '../../http/cookies.ts'
import {
  type FormContext,
  type FormContextOfOne,
  formHandler,
  pageOfForm,
  type Refused,
  validOf,
} from '../../http/forms.ts'
import { seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import { freshForm } from '../../views/parts/form-fields.tsx'
import { type SettingsOptions, settingsForms } from '../../web/settings/form.tsx'
import { ownedForms } from '../../web/settings/owned.ts'
import { IntakePage, IntakesPage } from './page.tsx'
import {
  intakeFields,
  intakeFilterFields,
  isIntakeId,
  maxIntakes,
  parseIntake,
  parseIntakeFilter,
} from './rules.ts'
import { addIntake, findIntake, listCalls, listIntakes, pauseIntake, type StoredIntake } from './store.ts'
import { intakes } from './tables.ts'

const kind = {
  noun: 'intake',
  max: maxIntakes,
  field: 'environments',
  idIn: (text: string) => (isIntakeId(text) ? text : null),
}

/** The message after a form that succeeded, by the `done` of its redirect. */
const notices: ReadonlyMap<string | undefined, string> = new Map([
  ['paused', 'It is paused.'],
  ['resumed', 'It is resumed.'],
  ['filtered', 'The filter is saved, and applies from the next call on.'],
  ['deleted', 'The intake is deleted.'],
])

/** The pages and forms of /settings/intakes (docs/decisions.md#intakes). */
export function intakeSettings(options: SettingsOptions) {
  const { db, site, pages, logSecurity } = options
  const { recentlyConfirmed } = settingsForms(options)
  const { found, named, added, changed } = ownedForms(kind, logSecurity)
  const cookie = onceCookie(site.baseUrl, 'new-intake-secret')

  return new Elysia({ name: 'settings-intakes' })
    .use(owner(pages))
    .get('/settings/intakes', (context) => listPage(null, context))
    .post(
      '/settings/intakes',
      formHandler([...intakeFields, 'password'], listPage, async (context, { password, ...typed }) => {
        const { user } = context.visitor
        const values = validOf(parseIntake(typed))
        await recentlyConfirmed(context, password)
        const { id, secret } = added(await addIntake(db, user.id, values))
        logSecurity('intake_added', context, user.username)
        return seeOther(`/settings/intakes/${id}`, [cookie.set(secret)])
      }),
    )
    .get('/settings/intakes/:id', (context) =>
      showOnce(context.request, [cookie], (secretIn) => intakePage(null, context, secretIn(cookie))),
    )
    .post(
      '/settings/intakes/:id/filter',
      formHandler(intakeFilterFields, intakePage, async (context, typed) => {
        const filter = validOf(parseIntakeFilter(typed))
        return changed(
          context,
          (of) => changeOwned(db, intakes, of, filter),
          '/settings/intakes/:id?done=filtered',
        )
      }),
    )
    .post('/settings/intakes/:id/pause', (context) =>
      changed(context, (of) => pauseIntake(db, of, true), '/settings/intakes/:id?done=paused'),
    )
    .post('/settings/intakes/:id/resume', (context) =>
      changed(context, (of) => pauseIntake(db, of, false), '/settings/intakes/:id?done=resumed'),
    )
    .post('/settings/intakes/:id/delete', (context) =>
      changed(context, (of) => deleteOwned(db, intakes, of), '/settings/intakes?done=deleted', {
        event: 'intake_deleted',
      }),
    )

  async function listPage(refused: Refused | null, { visitor, query }: FormContext): Promise<Response> {
    const { user: viewer, hasJustSignedIn } = visitor
    const [listed, now] = await Promise.all([listIntakes(db, viewer.id), databaseNow(db)])
    const notice = refused ? null : (notices.get(query.done) ?? null)
    const form = refused ?? newIntake
    const props = { site, viewer, now, intakes: listed, notice, form, asksPassword: !hasJustSignedIn }
    return pageOfForm(<IntakesPage {...props} />, refused)
  }

  async function intakePage(
    refused: Refused | null,
    context: FormContextOfOne,
    newSecret: string | null = null,
  ): Promise<Response> {
    const of = named(context)
    const [one, calls, now] = await Promise.all([findIntake(db, of), listCalls(db, of), databaseNow(db)])
    const { intake, waiting } = found(one)
    const props = {
      ...{ site, viewer: context.visitor.user, now, intake, waiting, calls },
      // Only the secret of this intake: another one may have been added in another window.
      newSecret: newSecret === intake.secret ? newSecret : null,
      notice: refused ? null : (notices.get(context.query.done) ?? null),
      form: refused ?? { ...freshForm, typed: filterOf(intake) },
    }
    return pageOfForm(<IntakePage {...props} />, refused)
  }
}

const newIntake = { ...freshForm, typed: { kind: 'github' } }

/** The filter of an intake as its owner would type it. */
function filterOf({ environments, workflows, transient }: StoredIntake) {
  return {
    environments: environments.join(', '),
    workflows: workflows.join(', '),
    transient: transient ? 'on' : '',
  }
}
