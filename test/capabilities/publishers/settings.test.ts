import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { hashSecret } from '../../../src/data/account/tokens.ts'
import { query } from '../../support/database.ts'
import { focusedIn, reasonsBeside, valueIn } from '../../support/forms.ts'
import { textOf } from '../../support/markup.ts'
import { inParallel } from '../../support/parallel.ts'
import { type Person, password, sameOrigin, signUp } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const gitHub = 'https://token.actions.githubusercontent.com'
const gitLab = 'https://git.example'
const other = 'https://ci.example'
const buildkite = 'https://agent.buildkite.com'
const circleCi = 'https://oidc.circleci.com/org/0193abcd'
const service = await useService({
  OIDC_ISSUERS: `${gitHub}, gitlab+${gitLab}, ${other}, ${buildkite}, ${circleCi}`,
})
const sub =
  'the whole claim “sub” of its tokens, its beginning up to a : or /, or another claim as name=value'

const engine = { issuer: gitHub, repository: 'ada/engine', workflow: '', environment: '' }

const panelOf = async (person: Person) => textOf(await (await person.get('/settings')).text(), '#publishers')
const pathsIn = (page: string) =>
  page.match(/\/settings\/publishers\/\d+\/delete/g)?.filter((_, n) => n % 2 === 0) ?? []

describe('a publisher', () => {
  test('is listed once it is added, and not once it is removed', async () => {
    const person = await signUp(service)
    const fields = {
      ...engine,
      repository: ' ada/engine ',
      workflow: 'deploy.yml',
      environment: 'production',
    }
    expect((await person.send('/settings/publishers', fields)).headers.get('location')).toBe(
      '/settings?done=publisher-added',
    )
    const page = await (await person.get('/settings?done=publisher-added')).text()
    expect(textOf(page, '#publishers li')).toContain(
      'ada/engine · GitHub · deploy.yml · in production · never used',
    )
    expect(textOf(page, '#publishers [role=status]')).toBe('Publisher added.')
    const [path = ''] = pathsIn(page)
    expect((await person.send(path, {})).status).toBe(303)
    expect(await panelOf(person)).not.toContain('ada/engine ·')
    expect((await person.send(path, {})).status).toBe(404)
  })

  test.each([
    [
      { issuer: gitLab, repository: 'group/sub/project', workflow: 'ci/deploy.yml' },
      'group/sub/project · GitLab at git.example',
    ],
    [{ issuer: other, repository: 'organization:Ada' }, 'organization:Ada · ci.example'],
  ])('may be %p', async (fields, words) => {
    const person = await signUp(service)
    await person.send('/settings/publishers', { workflow: '', environment: '', ...fields })
    expect(await panelOf(person)).toContain(words)
  })

  test.each([
    ['repository', { repository: '' }, "can't be blank"],
    ['repository', { repository: 'engine' }, 'such as ada/engine'],
    ['repository', { repository: 'https://github.com/ada' }, 'such as ada/engine'],
    ['repository', { repository: 'https://github.com.evil.example/ada/engine' }, 'such as ada/engine'],
    ['repository', { repository: 'https://git.example/ada/engine' }, 'such as ada/engine'],
    ['repository', { repository: `a/${'x'.repeat(254)}` }, 'at most 255 characters'],
    ['repository', { issuer: gitLab, repository: 'engine' }, 'a group and a project'],
    ['repository', { issuer: other, repository: 'with spaces' }, 'the complete sub'],
    ['repository', { issuer: other, repository: 'organization:' }, 'whose jobs they are'],
    ['repository', { issuer: other, repository: ':/' }, 'whose jobs they are'],
    ['repository', { issuer: other, repository: 'aud=x' }, 'tells jobs apart, not aud'],
    ['repository', { issuer: other, repository: 'pipeline=' }, 'must have a value'],
    ['repository', { issuer: buildkite, repository: 'organization:acme:' }, 'such as acme/engine'],
    ['repository', { issuer: buildkite, repository: 'organization:acme:pipeline:engine' }, 'such as acme'],
    ['repository', { issuer: buildkite, repository: 'pipeline_slug=engine' }, 'such as acme/engine'],
    ['repository', { issuer: circleCi, repository: 'org/0193abcd/' }, 'the id of a project'],
    ['workflow', { issuer: buildkite, repository: 'acme/engine', workflow: 'a.yml' }, 'leave it empty'],
    ['workflow', { workflow: '.github/workflows/deploy.yml' }, 'such as deploy.yml'],
    ['workflow', { workflow: 'deploy' }, 'such as deploy.yml'],
    ['workflow', { issuer: other, workflow: 'deploy.yml' }, 'leave it empty'],
    ['environment', { issuer: other, environment: 'production' }, 'leave it empty'],
  ])('is refused by its %s, which stays as it was typed: %p', async (field, wrong, reason) => {
    const person = await signUp(service)
    const fields: Record<string, string> = { ...engine, ...wrong }
    const refused = await person.send('/settings/publishers', fields)
    expect(refused.status).toBe(422)
    const page = await refused.text()
    expect(reasonsBeside(page, field)).toContain(reason)
    expect(valueIn(page, field)).toBe(fields[field])
    expect(focusedIn(page)).toEqual([field])
    expect(await panelOf(person)).not.toContain('Remove')
  })

  test.each([
    [gitHub, 'https://github.com/ada/engine', 'ada/engine'],
    [gitHub, 'https://github.com/ada/engine/', 'ada/engine'],
    [gitHub, 'https://github.com/ada/engine.git', 'ada/engine'],
    [gitHub, 'https://GitHub.com/ada/engine/tree/main/src?tab=readme#top', 'ada/engine'],
    [gitHub, 'github.com/ada/engine', 'ada/engine'],
    [gitHub, 'git@github.com:ada/engine.git', 'ada/engine'],
    [gitLab, 'https://git.example/group/sub/project/-/tree/main', 'group/sub/project'],
    [gitLab, 'https://git.example/group/sub/project.git', 'group/sub/project'],
    [gitLab, 'ssh://git@git.example/group/sub/project.git', 'group/sub/project'],
    [gitLab, 'git.example.org/group/project', 'git.example.org/group/project'],
    [other, 'https://github.com/ada/engine', 'https://github.com/ada/engine'],
    [other, 'organization:acme:', 'organization:acme:'],
    [other, 'pipeline=7', 'pipeline=7'],
    [buildkite, 'acme/engine', 'organization:acme:pipeline:engine:'],
    [buildkite, 'https://buildkite.com/acme/engine/builds/7', 'organization:acme:pipeline:engine:'],
    [buildkite, 'organization:acme:pipeline:engine:ref:', 'organization:acme:pipeline:engine:ref:'],
    [
      circleCi,
      '3A2F5b1c-7d4e-4f6a-9b8c-0d1e2f3a4b5c',
      'org/0193abcd/project/3a2f5b1c-7d4e-4f6a-9b8c-0d1e2f3a4b5c/',
    ],
  ])('of %s may be pasted as %s', async (issuer, repository, name) => {
    const person = await signUp(service)
    await person.send('/settings/publishers', { ...engine, issuer, repository })
    expect(await panelOf(person)).toContain(`${name} · `)
  })

  test('leads on to the step of its pipeline, with the username in it, which stays there to be found', async () => {
    const person = await signUp(service)
    const stepsAt = async (path: string) => {
      const page = await (await person.get(path)).text()
      const [, open, steps = ''] =
        /<details class="roll"( open)?><summary class="button">The step for your pipeline(.*?)<\/details>/s.exec(
          page,
        ) ?? []
      return { isOpen: open !== undefined, steps: textOf(steps, 'code') }
    }
    expect((await stepsAt('/settings?done=publisher-removed')).steps).toBe('')
    await person.send('/settings/publishers', engine)
    const added = await stepsAt('/settings?done=publisher-added')
    expect(added.isOpen).toBe(true)
    expect(added.steps).toContain(`SHIPFEED_USER: ${person.username}`)
    expect(added.steps).not.toContain('id_tokens')
    expect(await stepsAt('/settings')).toEqual({ ...added, isOpen: false })
    await person.send('/settings/publishers', { ...engine, issuer: gitLab })
    expect((await stepsAt('/settings')).steps).toContain(`SHIPFEED_USER=${person.username} sh`)
  })

  test.each([
    [gitHub, 'ada/engine, or the address of its page', 'deploy.yml'],
    [gitLab, 'ada/engine, or the address of its page', 'on GitLab .gitlab-ci.yml'],
    [other, sub, undefined],
    [`${gitHub},${other}`, `ada/engine, or the address of its page; for ci.example, ${sub}`, 'deploy.yml'],
    [
      `${buildkite},${circleCi}`,
      'acme/engine, or the address of the pipeline; for CircleCI, organization 0193abcd, the id of the project, from its settings',
      undefined,
    ],
  ])(
    'is asked for in words of the issuers that are offered: %s',
    async (OIDC_ISSUERS, repository, workflow) => {
      await using offering = await startService({
        OIDC_ISSUERS: OIDC_ISSUERS.replace(gitLab, `gitlab+${gitLab}`),
      })
      const person = await signUp(offering)
      const page = await (await person.get('/settings')).text()
      expect(textOf(page, '#publisher-repository-hint')).toBe(repository)
      expect(page.includes('id="publisher-workflow"')).toBe(workflow !== undefined)
      if (workflow !== undefined) expect(textOf(page, '#publisher-workflow-hint')).toBe(workflow)
    },
  )

  test('of an issuer that is not listed is refused next to the list', async () => {
    const person = await signUp(service)
    const fields = { ...engine, issuer: 'https://evil.example' }
    const refused = await person.send('/settings/publishers', fields)
    expect(refused.status).toBe(422)
    const page = await refused.text()
    expect(textOf(page, '#publisher-issuer-reasons')).toBe('must be one of these')
    expect(focusedIn(page)).toEqual(['issuer'])
    expect(await panelOf(person)).not.toContain('Remove')
  })

  test('is there once', async () => {
    const person = await signUp(service)
    await person.send('/settings/publishers', engine)
    const again = await person.send('/settings/publishers', engine)
    expect(reasonsBeside(await again.text(), 'repository')).toBe('is among your publishers already')
    expect((await person.send('/settings/publishers', { ...engine, environment: 'staging' })).status).toBe(
      303,
    )
  })

  test('is one of 50 at most, also when all are added at once', async () => {
    const person = await signUp(service)
    const numbers = Array.from({ length: 52 }, (_, n) => n)
    const answers = await inParallel(numbers, 40, (n) =>
      person.send('/settings/publishers', { ...engine, repository: `ada/x${n}` }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(50).fill(303), 422, 422])
  })

  test("of somebody else can't be removed", async () => {
    const [ada, eve] = [await signUp(service), await signUp(service)]
    await ada.send('/settings/publishers', engine)
    const [path = ''] = pathsIn(await (await ada.get('/settings')).text())
    expect((await eve.send(path, {})).status).toBe(404)
    expect(await panelOf(ada)).toContain('ada/engine')
  })

  test('asks for the password of a user who signed in a while ago', async () => {
    const person = await signUp(service)
    const hash = hashSecret(person.cookie.split('=')[1] ?? '')
    await query(
      service.db,
      sql`update sessions set created_at = now() - interval '15 minutes' where hash = ${hash}`,
    )
    const refused = await person.send('/settings/publishers', engine)
    expect([refused.status, textOf(await refused.text(), '#publishers .reasons')]).toEqual([
      422,
      'is not your password',
    ])
    expect((await person.send('/settings/publishers', { ...engine, password })).status).toBe(303)
  })
})

test('without a session, the forms send to sign in', async () => {
  for (const path of ['/settings/publishers', '/settings/publishers/1/delete']) {
    const answer = await service.fetch(path, {
      method: 'POST',
      headers: sameOrigin,
      body: new URLSearchParams(engine),
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in'])
  }
})
