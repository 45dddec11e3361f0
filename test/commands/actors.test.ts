import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { forgetActorCommand } from '../../src/commands/actors.ts'
import { argumentsOf } from '../../src/commands/command.ts'
import { tables } from '../../src/table-uses.ts'
import { json } from '../support/api.ts'
import { query } from '../support/database.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'
import { commandsOn } from './run-command.ts'

const service = await useService()
const run = commandsOn(service.db)

async function actorsOf({ username }: Poster): Promise<unknown[]> {
  const list = await service.fetch(`/api/deployments?user=${username}&limit=100`)
  return ((await list.json()) as { deployments: { actor?: string }[] }).deployments.map(({ actor }) => actor)
}

async function deploy(poster: Poster, actor: string, key: string = crypto.randomUUID()): Promise<Response> {
  const response = await poster.post(json({ message: 'A', actor }), { 'Idempotency-Key': key })
  expect(response.status).toBe(201)
  return response
}

test('forgets a name of any user, in any case, and no other', async () => {
  const [ada, linus] = [await signUpPoster(service), await signUpPoster(service)]
  const others = ['Grace', 'Grace Hopper 2', 'Ģrace Hopper']
  for (const name of ['Grace Hopper', 'GRACE hopper', ...others]) await deploy(ada, name)
  await deploy(linus, 'grace hopper')
  const profile = `/${ada.username}`
  expect(await (await service.fetch(profile)).text()).toContain('GRACE hopper')
  expect(await run(forgetActorCommand, 'grace', 'hopper')).toBe(
    'Took the actor "grace hopper" out of 3 deployments.\n',
  )
  expect(await actorsOf(ada)).toEqual([...others.toReversed(), undefined, undefined])
  expect(await actorsOf(linus)).toEqual([undefined])
  const page = await (await service.fetch(profile)).text()
  expect(page).not.toContain('GRACE hopper')
  expect(page).toContain('Ģrace Hopper')
  const found = await service.fetch('/api/deployments?actor=Grace%20Hopper')
  expect(await found.json()).toMatchObject({ deployments: [] })
})

test('forgets more than are changed at once, and a second run finds none', async () => {
  const ada = await signUpPoster(service)
  await deploy(ada, 'Often')
  await query(
    service.db,
    sql`insert into deployments (user_id, message, scopes, target_rule, actor, deployed_at)
      select user_id, 'B', scopes, target_rule, actor, deployed_at from deployments, generate_series(1, 200)
      where actor = 'Often'`,
  )
  expect(await run(forgetActorCommand, 'often')).toContain('out of 201 deployments')
  expect(await run(forgetActorCommand, 'often')).toContain('out of 0 deployments')
})

test('a retry of what it has forgotten is a retry, and tells the name to nobody', async () => {
  const ada = await signUpPoster(service)
  await deploy(ada, 'Retrying', 'run-1')
  await run(forgetActorCommand, 'Retrying')
  expect(await (await deploy(ada, 'Retrying', 'run-1')).json()).not.toHaveProperty('actor')
  expect(await actorsOf(ada)).toEqual([undefined])
})

test('also where it would come back from: tokens of publishers, calls that wait and filters of webhooks', async () => {
  const ada = await signUpPoster(service)
  const rows = (statement: ReturnType<typeof sql>) => query<Record<string, unknown>>(service.db, statement)
  const waiting = (actor: string) => JSON.stringify({ message: 'A', url: null, category: null, actor })
  await query(
    service.db,
    sql`update tokens set actor = 'Mara' where user_id = (select id from users where username = ${ada.username})`,
  )
  await query(
    service.db,
    sql`insert into intakes (id, user_id, kind, secret, environments, workflows, transient)
      select 'intake', id, 'github', 'x', '{}', '{}', false from users where username = ${ada.username}`,
  )
  for (const [key, actor] of Object.entries({ a: 'MARA', b: 'Tomasz' })) {
    await query(
      service.db,
      sql`insert into intake_calls (user_id, intake_id, about, outcome, key, waiting)
        select user_id, id, '', 'waiting', ${key}, ${waiting(actor)} from intakes where id = 'intake'`,
    )
  }
  for (const actors of ['{mara}', '{mara,tomasz}', '{tomasz}', '{}']) {
    await query(
      service.db,
      sql`insert into webhooks (user_id, url, format, targets, environments, categories, actors, withdrawals, position, last_event)
        select id, 'https://hooks.example', 'slack', '{}', '{}', '{}', ${actors}::text[], true, 0, 0
        from users where username = ${ada.username}`,
    )
  }
  expect(await run(forgetActorCommand, 'Mara')).toBe(
    'Took the actor "Mara" out of 0 deployments.\nPaused 1 webhooks that sent only what this actor deployed.\n',
  )
  expect(await rows(sql`select count(*)::int as n from tokens where actor is not null`)).toEqual([{ n: 0 }])
  expect(await rows(sql`select waiting::jsonb ->> 'actor' as actor from intake_calls order by key`)).toEqual([
    { actor: null },
    { actor: 'Tomasz' },
  ])
  expect(
    await rows(sql`select actors, paused_because is not null as paused from webhooks order by id`),
  ).toEqual([
    { actors: [], paused: true },
    { actors: ['tomasz'], paused: false },
    { actors: ['tomasz'], paused: false },
    { actors: [], paused: false },
  ])
})

test('asks before, and takes nothing that is no name', async () => {
  const question = 'question' in forgetActorCommand ? forgetActorCommand.question : undefined
  expect(await question?.({ db: service.db, tables }, { name: 'Grace', key: 'grace' })).toBe(
    'Permanently take the actor "Grace" out of all deployments? The deployments stay.',
  )
  for (const [words, reason] of [
    [[], 'give the name of an actor'],
    [[' '], 'give the name of an actor'],
    [['grace@example.com'], 'That is not the name of an actor'],
    [['x'.repeat(61)], 'That is not the name of an actor'],
    [['Grace \u202eHopper'], 'That is not the name of an actor'],
  ] as const) {
    expect(() => argumentsOf(forgetActorCommand, words)).toThrow(reason)
  }
})
