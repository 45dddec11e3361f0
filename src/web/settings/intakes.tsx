import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import {
  addIntake,
  deleteIntake,
  filterIntake,
  findIntake,
  listCalls,
  listIntakes,
  pauseIntake,
  type StoredIntake,
} from '../../data/intake/settings.ts'
import { databaseNow } from '../../database/db.ts'
import {
  intakeFields,
  intakeFilterFields,
  isIntakeId,
  mostIntakes,
  parseIntake,
  parseIntakeFilter,
} from '../../domain/intake/intake.ts'
import { secretCookie } from '../../http/cookies.ts'
import {
  type FormContext,
  type FormContextOfOne,
  formHandler,
  pageOfForm,
  type Refused,
  RefusedForm,
  validOf,
} from '../../http/forms.ts'
import { SignInRequired } from '../../http/problem.ts'
import { seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import { freshForm } from '../../views/parts/form-fields.tsx'
import { IntakePage, IntakesPage } from '../../views/settings/intakes.tsx'
import { found, type SettingsOptions, settingsForms } from './form.tsx'

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
  const cookie = secretCookie(site.baseUrl, 'new-intake-secret')

  return new Elysia({ name: 'settings-intakes' })
    .use(owner(pages))
    .onBeforeHandle(({ params }: { params?: { id?: string } }) => {
      // Elysia leaves the parameters out where a path has none.
      found(params?.id === undefined || isIntakeId(params.id), 'intake')
    })
    .get('/settings/intakes', (context) => listPage(null, context, context.query))
    .post(
      '/settings/intakes',
      formHandler([...intakeFields, 'password'], listPage, async (context, { password, ...typed }) => {
        const { user } = context.visitor
        const values = validOf(parseIntake(typed))
        await recentlyConfirmed(context, password)
        const added = await addIntake(db, user.id, values)
        if (added.outcome === 'gone') throw new SignInRequired()
        if (added.outcome === 'full') {
          const reason = `cannot be added: you have ${mostIntakes} intakes, which is the limit`
          throw new RefusedForm({ environments: [reason] })
        }
        const { id, secret } = added.intake
        logSecurity('intake_added', context, user.username)
        return seeOther(`/settings/intakes/${id}`, [cookie.set(`${id}.${secret}`)])
      }),
    )
    .get('/settings/intakes/:id', async (context) => {
      const [id, secret = null] = cookie.read(context.request)?.split('.') ?? []
      const newSecret = id === context.params.id ? secret : null
      const response = await intakePage(null, context, { done: context.query.done, newSecret })
      if (newSecret !== null) response.headers.append('Set-Cookie', cookie.clear())
      return response
    })
    .post(
      '/settings/intakes/:id/filter',
      formHandler(intakeFilterFields, intakePage, async ({ visitor, params: { id } }, typed) => {
        const filter = validOf(parseIntakeFilter(typed))
        found(await filterIntake(db, visitor.user.id, id, filter), 'intake')
        return seeOther(`/settings/intakes/${id}?done=filtered`)
      }),
    )
    .post('/settings/intakes/:id/pause', async ({ visitor: { user }, params: { id } }) => {
      found(await pauseIntake(db, user.id, id, true), 'intake')
      return seeOther(`/settings/intakes/${id}?done=paused`)
    })
    .post('/settings/intakes/:id/resume', async ({ visitor: { user }, params: { id } }) => {
      found(await pauseIntake(db, user.id, id, false), 'intake')
      return seeOther(`/settings/intakes/${id}?done=resumed`)
    })
    .post('/settings/intakes/:id/delete', async ({ request, server, visitor: { user }, params }) => {
      found(await deleteIntake(db, user.id, params.id), 'intake')
      logSecurity('intake_deleted', { request, server }, user.username)
      return seeOther('/settings/intakes?done=deleted')
    })

  async function listPage(
    refused: Refused | null,
    { visitor }: FormContext,
    { done }: { done?: string | undefined } = {},
  ): Promise<Response> {
    const { user: viewer, hasJustSignedIn } = visitor
    const [intakes, now] = await Promise.all([listIntakes(db, viewer.id), databaseNow(db)])
    const notice = notices.get(done) ?? null
    const form = refused ?? newIntake
    const props = { site, viewer, now, intakes, notice, form, asksPassword: !hasJustSignedIn }
    return pageOfForm(<IntakesPage {...props} />, refused)
  }

  async function intakePage(
    refused: Refused | null,
    { visitor: { user: viewer }, params: { id } }: FormContextOfOne,
    { done, newSecret = null }: { done?: string | undefined; newSecret?: string | null } = {},
  ): Promise<Response> {
    const [one, calls, now] = await Promise.all([
      findIntake(db, viewer.id, id),
      listCalls(db, viewer.id, id),
      databaseNow(db),
    ])
    found(one !== null, 'intake')
    const notice = notices.get(done) ?? null
    const form = refused ?? { ...freshForm, typed: filterOf(one.intake) }
    return pageOfForm(
      <IntakePage {...{ site, viewer, now, ...one, calls, notice, newSecret, form }} />,
      refused,
    )
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
