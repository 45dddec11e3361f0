import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import type { Visitor } from '../../data/account/sessions.ts'
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
import type { User } from '../../domain/account/user.ts'
import {
  type IntakeFilterValues,
  type IntakeValues,
  intakeFields,
  intakeFilterFields,
  mostIntakes,
  parseIntake,
  parseIntakeFilter,
} from '../../domain/intake/intake.ts'
import type { Reasons } from '../../domain/text-fields.ts'
import { readForm } from '../../http/body.ts'
import { newIntakeSecretCookie } from '../../http/cookies.ts'
import { Problem, SignInRequired } from '../../http/problem.ts'
import { page, seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import { IntakePage } from '../../views/settings/intake.tsx'
import { IntakesPage } from '../../views/settings/intakes.tsx'
import { type FormContext, RefusedForm, type SettingsOptions, settingsForms } from './form.tsx'

/** The message after a form that succeeded, by the `done` of its redirect. */
const notices: ReadonlyMap<string | undefined, string> = new Map([
  ['paused', 'It is paused.'],
  ['resumed', 'It is resumed.'],
  ['filtered', 'The filter is saved, and applies from the next call on.'],
])

/** The pages and forms of /settings/intakes (docs/decisions.md#intakes). */
export function intakeSettings(options: SettingsOptions) {
  const { db, site, pages, logSecurity } = options
  const { confirmed } = settingsForms(options)
  const cookie = newIntakeSecretCookie(site.baseUrl)

  return new Elysia({ name: 'settings-intakes' })
    .use(owner(pages))
    .get('/settings/intakes', ({ visitor }) => listPage(visitor, {}))
    .post('/settings/intakes', async (context) => {
      const { request, server, visitor } = context
      const { password, ...typed } = await readForm(request, [...intakeFields, 'password'])
      const parsed = parseIntake(typed)
      if (parsed.outcome === 'invalid') return await listPage(visitor, { typed, reasons: parsed.reasons })
      const refused = await refusedPassword(context, password)
      if (refused !== null) return await listPage(visitor, { typed, ...refused })
      const added = await addIntake(db, visitor.user.id, parsed.values)
      if (added.outcome === 'gone') throw new SignInRequired()
      if (added.outcome === 'full') {
        const reason = `cannot be added: you have ${mostIntakes} intakes, which is the limit`
        return await listPage(visitor, { typed, reasons: { environments: [reason] } })
      }
      const { id, secret } = added.intake
      logSecurity('intake_added', { request, server }, visitor.user.username)
      return seeOther(`/settings/intakes/${id}`, [cookie.set(`${id}.${secret}`)])
    })
    .get('/settings/intakes/:id', async ({ request, query, visitor: { user }, params }) => {
      const made = cookie.read(request)?.split('.') ?? []
      const newSecret = made[0] === params.id ? (made[1] ?? null) : null
      const response = await intakePage(user, params.id, { notice: notices.get(query.done), newSecret })
      if (newSecret !== null) response.headers.append('Set-Cookie', cookie.clear())
      return response
    })
    .post('/settings/intakes/:id/filter', async ({ request, visitor: { user }, params: { id } }) => {
      const typed = await readForm(request, intakeFilterFields)
      const filter = parseIntakeFilter(typed)
      if (filter.outcome === 'invalid') return await intakePage(user, id, { typed, reasons: filter.reasons })
      found(await filterIntake(db, user.id, id, filter.values))
      return seeOther(`/settings/intakes/${id}?done=filtered`)
    })
    .post('/settings/intakes/:id/pause', async ({ visitor: { user }, params: { id } }) => {
      found(await pauseIntake(db, user.id, id, true))
      return seeOther(`/settings/intakes/${id}?done=paused`)
    })
    .post('/settings/intakes/:id/resume', async ({ visitor: { user }, params: { id } }) => {
      found(await pauseIntake(db, user.id, id, false))
      return seeOther(`/settings/intakes/${id}?done=resumed`)
    })
    .post('/settings/intakes/:id/delete', async ({ request, server, visitor: { user }, params }) => {
      found(await deleteIntake(db, user.id, params.id))
      logSecurity('intake_deleted', { request, server }, user.username)
      return seeOther('/settings/intakes')
    })

  /**
   * The refusal if the password is needed and wrong, else null. It is needed as for a new token: otherwise someone who
   * borrows the browser could announce from then on.
   */
  async function refusedPassword(
    context: FormContext,
    password: string,
  ): Promise<RefusedForm['refused'] | null> {
    if (context.visitor.hasJustSignedIn) return null
    try {
      await confirmed(context, password)
      return null
    } catch (error) {
      if (error instanceof RefusedForm) return error.refused
      throw error
    }
  }

  async function listPage(
    { user, hasJustSignedIn }: Visitor,
    { typed = nothingTyped, reasons = {}, retryAfterSeconds }: Shown,
  ): Promise<Response> {
    const intakes = await listIntakes(db, user.id)
    const props = { site, viewer: user, intakes, typed, reasons, asksPassword: !hasJustSignedIn }
    const status = Object.keys(reasons).length === 0 ? 200 : 422
    const answer =
      retryAfterSeconds === undefined
        ? { status }
        : { status: 429, headers: { 'Retry-After': String(retryAfterSeconds) } }
    return page(<IntakesPage {...props} />, { ...answer, isPrivate: true })
  }

  async function intakePage(
    user: User,
    id: string,
    shown: {
      notice?: string | undefined
      newSecret?: string | null
      typed?: IntakeFilterValues
      reasons?: Reasons
    },
  ): Promise<Response> {
    const [one, calls, now] = await Promise.all([
      findIntake(db, user.id, id),
      listCalls(db, user.id, id),
      databaseNow(db),
    ])
    if (one === null) throw new Problem('not_found', gone)
    const { notice = null, newSecret = null, typed = filterOf(one.intake), reasons = {} } = shown
    const props = { site, viewer: user, now, ...one, calls, notice, newSecret, typed, reasons }
    const status = Object.keys(reasons).length === 0 ? 200 : 422
    return page(<IntakePage {...props} />, { status, isPrivate: true })
  }
}

type Shown = { typed?: IntakeValues; reasons?: Reasons; retryAfterSeconds?: number }

const gone = 'You no longer have this intake. The settings list those you have.'

function found(isFound: boolean): void {
  if (!isFound) throw new Problem('not_found', gone)
}

const nothingTyped: IntakeValues = { kind: 'github', environments: '', workflows: '', transient: '' }

/** The filter of an intake as its owner would type it. */
function filterOf({ environments, workflows, transient }: StoredIntake): IntakeFilterValues {
  return {
    environments: environments.join(', '),
    workflows: workflows.join(', '),
    transient: transient ? 'on' : '',
  }
}
