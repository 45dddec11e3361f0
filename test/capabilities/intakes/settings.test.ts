import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { intakeKinds, maxIntakes } from '../../../src/capabilities/intakes/rules.ts'
import { query } from '../../support/database.ts'
import { focusedIn, reasonsBeside, valueIn } from '../../support/forms.ts'
import { forgejoRelease, githubRelease } from '../../support/intake/deliveries.ts'
import { deliver, madeIntake } from '../../support/intake/intakes.ts'
import { textOf } from '../../support/markup.ts'
import { inParallel } from '../../support/parallel.ts'
import { cookieOf, type Person, password, signUp } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

async function mainOf(person: Person, path: string): Promise<string> {
  return textOf(await (await person.get(path)).text(), 'main')
}

test('an intake is made with its secret shown once, is listed, and is deleted', async () => {
  const ada = await signUp(service)
  expect(await mainOf(ada, '/settings/intakes')).toContain('No intakes yet')
  const made = await ada.send('/settings/intakes', { kind: 'github', environments: 'Production, eu/staging' })
  const at = made.headers.get('location') ?? ''
  expect(at).toMatch(/^\/settings\/intakes\/[\w-]{22}$/)
  const shown = await ada.get(at, { Cookie: `${ada.cookie}; ${cookieOf(made)}` })
  expect(await shown.text()).toMatch(/id="new-secret" value="[\w-]{43}"/)
  // The page takes it from the browser.
  expect(shown.headers.getSetCookie().join()).toContain('Max-Age=0')
  expect(await (await ada.get(at)).text()).not.toContain('new-secret')
  expect(await mainOf(ada, '/settings/intakes')).toContain(
    `GitHub …${at.slice(-4)} · only to production, eu/staging · not called yet`,
  )
  const deleted = await ada.send(`${at}/delete`, {})
  expect(await mainOf(ada, deleted.headers.get('location') ?? '')).toContain('The intake is deleted.')
  expect((await ada.get(at)).status).toBe(404)
  expect(await mainOf(ada, '/settings/intakes')).toContain('No intakes yet')
})

test('those of one forge are told apart by what they were called for last', async () => {
  const ada = await signUp(service)
  const [one, other] = [await madeIntake(ada, 'github'), await madeIntake(ada, 'github')]
  const released = async (intake: typeof one, id: number, name: string) => {
    const delivery = githubRelease({ id })
    Object.assign((delivery.payload as { repository: object }).repository, {
      html_url: `https://github.com/ada/${name}`,
    })
    expect((await deliver(service, intake, delivery)).status).toBe(201)
  }
  await released(one, 1, 'engine')
  await released(one, 2, 'site')
  await released(other, 3, 'notes')
  const list = await mainOf(ada, '/settings/intakes')
  const rowOf = ({ settings }: typeof one) => list.slice(list.indexOf(`…${settings.slice(-4)}`)).slice(0, 60)
  expect(rowOf(one)).toMatch(/^….{4} · last: site v?[\d.]+ released, just now/)
  expect(rowOf(other)).toMatch(/^….{4} · last: notes v?[\d.]+ released, just now/)
})

test('the secret of one is not shown on the page of another', async () => {
  const ada = await signUp(service)
  const { settings } = await madeIntake(ada, 'github')
  const made = await ada.send('/settings/intakes', { kind: 'gitlab' })
  const page = await ada.get(settings, { Cookie: `${ada.cookie}; ${cookieOf(made)}` })
  expect(await page.text()).not.toContain('new-secret')
})

test.each(Object.entries(intakeKinds))('its page says what to do at %s', async (kind, name) => {
  const ada = await signUp(service)
  const { settings, at } = await madeIntake(ada, kind as keyof typeof intakeKinds)
  const page = await mainOf(ada, settings)
  expect(page).toContain(`From ${name}`)
  expect(page).toContain(`http://shipfeed.test${at}`)
  expect(page).toContain(kind === 'flux' ? 'Add a Provider and an Alert' : 'add a webhook')
})

test('the filter of a form is kept, and a wrong one is refused next to its field', async () => {
  const ada = await signUp(service)
  const filters = [
    ['github', { environments: 'Production', transient: 'on' }, { environments: 'a, b:c' }, 'has “b:c”'],
    ['forgejo', { workflows: 'Deploy.yml, ship.yaml' }, { workflows: 'deploy/it.yml' }, 'such as deploy.yml'],
  ] as const
  for (const [kind, right, wrong, reason] of filters) {
    const { settings } = await madeIntake(ada, kind)
    await ada.send(`${settings}/filter`, right)
    const page = await (await ada.get(`${settings}?done=filtered`)).text()
    const isGithub = kind === 'github'
    expect(valueIn(page, 'environments')).toBe(isGithub ? 'production' : undefined)
    expect(valueIn(page, 'workflows')).toBe(isGithub ? undefined : 'deploy.yml, ship.yaml')
    expect(/id="transient"[^>]* checked/.test(page)).toBe(isGithub)
    const refused = await ada.send(`${settings}/filter`, wrong)
    expect(refused.status).toBe(422)
    expect(reasonsBeside(await refused.text(), isGithub ? 'environments' : 'workflows')).toContain(reason)
  }
  const unknown = await ada.send('/settings/intakes', { kind: 'svn' })
  expect(unknown.status).toBe(422)
  const page = await unknown.text()
  expect(textOf(page, '#kind-reasons')).toBe('must be one of those in the list')
  expect(focusedIn(page)).toEqual(['kind'])
  // Nothing there has an environment, so a list of them would leave out all.
  const forgejo = await madeIntake(ada, 'forgejo', { environments: 'production' })
  expect((await deliver(service, forgejo, forgejoRelease())).status).toBe(201)
})

test(`a user has at most ${maxIntakes}, however many are added at once`, async () => {
  const ada = await signUp(service)
  const answers = await inParallel([...Array(maxIntakes + 2).keys()], maxIntakes + 2, async () => {
    const { status } = await ada.send('/settings/intakes', { kind: 'github' })
    return status
  })
  expect(answers.filter((status) => status === 303)).toHaveLength(maxIntakes)
  const full = await ada.send('/settings/intakes', { kind: 'github' })
  expect(reasonsBeside(await full.text(), 'environments')).toContain(`you have ${maxIntakes} intakes`)
})

test('adding one asks for the password of a user who signed in a while ago', async () => {
  const ada = await signUp(service)
  await query(
    service.db,
    sql`update sessions set created_at = now() - interval '1 hour'
      where user_id = (select id from users where username = ${ada.username})`,
  )
  const wrong = await ada.send('/settings/intakes', {
    kind: 'gitlab',
    password: 'another',
    environments: 'eu',
  })
  expect(wrong.status).toBe(422)
  const page = await wrong.text()
  expect(reasonsBeside(page, 'password')).toBe('is not your password')
  expect(textOf(page, '#intake-password-hint')).toBe('You signed in more than 15 minutes ago.')
  expect(valueIn(page, 'environments')).toBe('eu')
  expect((await ada.send('/settings/intakes', { kind: 'gitlab', password })).status).toBe(303)
})

test("nobody sees, changes or deletes another user's", async () => {
  const [ada, eve] = [await signUp(service), await signUp(service)]
  const intake = await madeIntake(ada, 'github')
  expect((await eve.get(intake.settings)).status).toBe(404)
  for (const what of ['filter', 'pause', 'resume', 'delete'])
    expect((await eve.send(`${intake.settings}/${what}`, {})).status).toBe(404)
  expect((await deliver(service, intake, githubRelease())).status).toBe(201)
})

test('the intakes of a deleted account take no calls', async () => {
  const ada = await signUp(service)
  const intake = await madeIntake(ada, 'github')
  await deliver(service, intake, githubRelease())
  await ada.send('/settings/delete', { username: ada.username, password })
  expect((await deliver(service, intake, githubRelease({ id: 2 }))).status).toBe(404)
})
