import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { pruneDeployments } from '../../../src/capabilities/pruning/store.ts'
import { withdrawDeployment } from '../../../src/data/deployments.ts'
import { wordsDrawn } from '../../badge/every-badge.ts'
import { answerKinds, kindHeaders } from '../../support/answer-kinds.ts'
import { created, json } from '../../support/api.ts'
import { query } from '../../support/database.ts'
import { userIdOf } from '../../support/deployments.ts'
import { inParallel } from '../../support/parallel.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService({ RATE_LIMIT_PER_MINUTE: '0' })

const project = 'ci.ada.dev/ada/engine'
const url = `https://${project}/pull/1`

describe('?show=environments', () => {
  test('says what is live in each environment of a project at every moment', async () => {
    const ada = await signUpPoster(service)
    expect(await shown(ada)).toEqual(['Inactive'])
    await announce(ada, { environment: 'production', version: 'v1' })
    expect(await shown(ada)).toEqual(['production v1'])
    const second = await announce(ada, { environment: 'Staging', version: 'v2', url: `${url}2` })
    expect(await shown(ada)).toEqual(['Staging v2', 'production v1'])
    await announce(ada, { environment: 'staging', commit: 'abcdef0123' })
    expect(await shown(ada)).toEqual(['staging abcdef0', 'production v1'])
    await announce(ada, { version: 'v9' })
    await announce(ada, { environment: 'qa', version: 'v9', url: 'https://elsewhere.example' })
    await announce(ada, { environment: 'qa', version: 'v9', url: 'https://ci.ada.dev/ada/other' })
    expect(await shown(ada)).toEqual(['staging abcdef0', 'production v1'])
    await withdraw(ada, second + 1)
    expect(await shown(ada)).toEqual(['Staging v2', 'production v1'])
    await withdraw(ada, second)
    expect(await shown(ada)).toEqual(['production v1'])
  })

  test('has the colour and the age of each, in the picture and its twin, with the headers of a badge', async () => {
    const ada = await signUpPoster(service)
    await announce(ada, { environment: 'production', version: 'v3.0' })
    await query(
      service.db,
      sql`update deployments set deployed_at = deployed_at - interval '12 days' where user_id = ${await userIdOf(service.db, ada)}`,
    )
    await announce(ada, { environment: 'staging', version: 'v3.2' })
    const address = (format: string) =>
      `/badge/${ada.username}/${project}.${format}?show=environments&label=engine`
    const response = await service.fetch(address('svg'))
    expect(kindHeaders('badge', response)).toEqual(answerKinds.badge)
    const svg = await response.text()
    expect(wordsDrawn(svg)).toEqual(['engine', 'staging', 'v3.2', 'production', 'v3.0'])
    expect(svg).toContain('"engine: staging v3.2, Fresh, just now; production v3.0, Quiet, 12 days ago"')
    const twin = await service.fetch(address('json'))
    expect(kindHeaders('badge JSON', twin)).toEqual(answerKinds['badge JSON'])
    const message = 'staging v3.2 · production v3.0'
    expect(await twin.json()).toEqual({
      schemaVersion: 1,
      label: 'engine',
      message,
      color: '#1a7f37',
      isError: false,
    })
  })

  test('stays as it was when old deployments are pruned', async () => {
    const ada = await signUpPoster(service)
    for (const environment of ['production', 'staging', 'staging'])
      await announce(ada, { environment, version: 'v1' })
    await query(service.db, sql`update deployments set deployed_at = deployed_at - interval '90 days'`)
    await announce(ada, { environment: 'qa', version: 'v2' })
    await pruneDeployments(service.db, { before: new Date(), isDryRun: false })
    expect(await shown(ada)).toEqual(['qa v2', 'staging v1', 'production v1'])
  })

  test('of more than 200 environments has those with a known order', async () => {
    const ada = await signUpPoster(service)
    await announce(ada, { environment: 'staging', version: 'v1' })
    const previews = Array.from({ length: 205 }, (_, n) => `zz-${n}`)
    await inParallel(previews, 8, (environment) => announce(ada, { environment, version: 'v2' }))
    const words = await shown(ada)
    expect(words[0]).toBe('staging v1')
    expect([words.length, words.at(-1)]).toEqual([5, '99+'])
  })

  test('needs a project, and takes no environment', async () => {
    const ada = await signUpPoster(service)
    await announce(ada, { environment: 'production', version: 'v1' })
    for (const [address, advice] of [
      [`/badge/${ada.username}.json?show=environments`, 'needs a project'],
      [`/badge/${ada.username}.json?show=environments&url=%20`, 'needs a project'],
      [`/badge/${ada.username}.json?show=environments&url=${project}&env=qa`, 'leave out "env"'],
      [`/badge/${ada.username}/${project}.json?show=environments&env=qa`, 'leave out "env"'],
      [`/badge/${ada.username}/${project}.json?url=${project}`, 'leave out "url"'],
    ] as const) {
      const refused = await service.fetch(address)
      expect([address, refused.status]).toEqual([address, 400])
      expect(await refused.json()).toEqual({ error: 'bad_request', message: expect.stringContaining(advice) })
      const image = await service.fetch(address.replace('.json', '.svg'))
      expect([image.status, kindHeaders('badge', image)]).toEqual([400, answerKinds.badge])
    }
    for (const filter of ['&url=%00', '&url=nowhere.example', '&url=ci.ada.dev'])
      expect([filter, await shown(ada, filter)]).toEqual([filter, ['Inactive']])
    expect(await shown(ada, `&url=${project}&env=`)).toEqual(['production v1'])
    expect(await shown({ username: 'nobody-of-environments' })).toEqual(['unknown'])
    const twin = await service.fetch(`/badge/nobody-of-environments.json?show=environments&url=${project}`)
    expect(twin.status).toBe(404)
  })
})

describe('GET /badge/<username>/<project>.svg', () => {
  test.each(['', 'show=age', 'show=version&pre=1', 'env=production&label=a&style=dot', 'show=environments'])(
    'with %p is the badge of ?url= with this project',
    async (options) => {
      const ada = await signUpPoster(service)
      await announce(ada, { environment: 'production', version: 'v1-rc.1' })
      await announce(ada, { environment: 'production', version: 'v2', url: 'https://elsewhere.example' })
      for (const format of ['svg', 'json']) {
        const expected = await read(`/badge/${ada.username}.${format}?url=${project}&${options}`)
        for (const path of [project, project.replaceAll('/', '%2F'), 'CI.ada.dev/Ada/engine'])
          expect(await read(`/badge/${ada.username}/${path}.${format}?${options}`)).toBe(expected)
      }
    },
  )

  test('shows a project that announcements name', async () => {
    const ada = await signUpPoster(service)
    await announce(ada, { environment: 'production', version: 'v1', project: 'shop/checkout' })
    for (const address of [
      `${ada.username}/-/shop/checkout.svg?`,
      `${ada.username}.svg?url=-/shop/checkout&`,
    ]) {
      const words = wordsDrawn(await read(`/badge/${address}show=environments`))
      expect(words).toEqual(['production', 'v1'])
    }
  })

  test.each(['/badge/a--b/a.example.svg', '/badge/ada/%00.svg', '/badge/ada/a.example', '/badge/ada/.svg'])(
    '%s, which names no user and project, is a 404 with an image',
    async (path) => {
      const response = await service.fetch(path)
      expect([response.status, kindHeaders('badge', response)]).toEqual([404, answerKinds.badge])
    },
  )
})

async function announce(poster: Poster, fields: object): Promise<number> {
  return (await created(await poster.post(json({ message: 'Deployed', url, ...fields })))).id
}

async function read(path: string): Promise<string> {
  const response = await service.fetch(path)
  expect([path, response.status]).toEqual([path, 200])
  return await response.text()
}

/** The words of the badge of environments, in the style dot. */
async function shown({ username }: Pick<Poster, 'username'>, filter = `&url=${project}`): Promise<string[]> {
  return wordsDrawn(await read(`/badge/${username}.svg?show=environments&style=dot${filter}`))
}

async function withdraw(poster: Poster, id: number): Promise<void> {
  const userId = await userIdOf(service.db, poster)
  expect(await withdrawDeployment(service.db, { userId, id })).toBeTrue()
}
