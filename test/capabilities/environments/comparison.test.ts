import { describe, expect, test } from 'bun:test'
import { maxAhead } from '../../../src/domain/environment/board.ts'
import { expectError } from '../../support/api.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService({ BASE_URL: 'https://ship.example' })

const project = 'github.com/ada/engine'
const engine = `https://${project}`

const deploy = (by: Poster, environment: string, version: string, url = engine) =>
  by.announced({ message: `Release ${version}`, url, environment, version })

function asked({ username }: Poster, from: string | number, to: string | number, of = project) {
  return `/api/compare?${new URLSearchParams({ user: username, project: of, from: String(from), to: String(to) })}`
}

type Compared = {
  from: { version: string }
  to: { version: string }
  deployments: readonly { version: string }[]
  more: boolean
  compare: string | null
}

/** What is answered, with only the versions of the deployments. */
async function compared(...question: Parameters<typeof asked>) {
  const answer = await service.fetch(asked(...question))
  expect(answer.status).toBe(200)
  const { from, to, deployments, ...rest } = (await answer.json()) as Compared
  const versions = deployments.map(({ version }) => version)
  return { from: from.version, to: to.version, deployments: versions, ...rest }
}

describe('GET /api/compare', () => {
  test('lists what staging has and production lacks, and the other way round', async () => {
    const ada = await signUpPoster(service)
    for (const version of ['v1', 'v2', 'v3', 'v4']) await deploy(ada, 'staging', version)
    await deploy(ada, 'staging', 'v9', 'https://github.com/ada/site')
    await deploy(ada, 'production', 'v2')
    expect(await compared(ada, 'Staging', 'production')).toEqual({
      from: 'v4',
      to: 'v2',
      deployments: ['v4', 'v3'],
      more: false,
      compare: `${engine}/compare/v2...v4`,
    })
    expect(await compared(ada, 'production', 'staging')).toMatchObject({
      from: 'v2',
      to: 'v4',
      deployments: [],
    })
    await deploy(ada, 'production', 'v4')
    expect(await compared(ada, 'staging', 'production')).toMatchObject({ deployments: [], compare: null })
  })

  test('takes the ids of deployments, of one environment or two', async () => {
    const ada = await signUpPoster(service)
    const [one, , three] = [
      await deploy(ada, 'production', 'v1'),
      await deploy(ada, 'production', 'v2'),
      await deploy(ada, 'production', 'v3'),
    ]
    await deploy(ada, 'production', 'v4')
    expect(await compared(ada, three, one)).toMatchObject({
      from: 'v3',
      to: 'v1',
      deployments: ['v3', 'v2'],
      compare: `${engine}/compare/v1...v3`,
    })
    expect(await compared(ada, 'production', three)).toMatchObject({ deployments: ['v4'] })
    expect(await compared(ada, one, 'production')).toMatchObject({ deployments: [] })
  })

  test('leaves out what was taken back', async () => {
    const ada = await signUpPoster(service)
    await deploy(ada, 'production', 'v0')
    for (const version of ['v0', 'v1', 'v2', 'v1']) await deploy(ada, 'staging', version)
    expect(await compared(ada, 'staging', 'production')).toMatchObject({ from: 'v1', deployments: ['v1'] })
    await deploy(ada, 'production', 'v2')
    expect(await compared(ada, 'staging', 'production')).toMatchObject({
      from: 'v1',
      to: 'v2',
      deployments: [],
    })
  })

  test.each([maxAhead, maxAhead + 1])('lists at most 50, here of %i', async (count) => {
    const ada = await signUpPoster(service)
    await deploy(ada, 'production', 'v0')
    for (let n = 1; n <= count; n += 1) await deploy(ada, 'staging', `v${n}`)
    const { deployments, more } = await compared(ada, 'staging', 'production')
    expect([deployments.length, deployments[0], more]).toEqual([maxAhead, `v${count}`, count > maxAhead])
  })

  test('gives 304 until something changes', async () => {
    const ada = await signUpPoster(service)
    await deploy(ada, 'staging', 'v1')
    await deploy(ada, 'production', 'v1')
    const address = asked(ada, 'staging', 'production')
    const etag = (await service.fetch(address)).headers.get('etag') ?? ''
    const again = () => service.fetch(address, { headers: { 'If-None-Match': etag } })
    expect((await again()).status).toBe(304)
    await deploy(ada, 'staging', 'v2')
    expect((await again()).status).toBe(200)
  })
})

describe('a wrong question', () => {
  const whole = { user: 'somebody', project, from: 'staging', to: 'production' }

  test.each(Object.keys(whole))('without "%s" is told what to send', async (name) => {
    const query = new URLSearchParams(whole)
    query.delete(name)
    const answer = await service.fetch(`/api/compare?${query}`)
    // A page of another origin, which may read the answer, may read this, too.
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    await expectError(answer, 400, 'bad_request')
  })

  test.each([
    ['from', 'a b'],
    ['to', 'x'.repeat(65)],
    ['project', 'not a host !!'],
    ['target', project],
    ['env', 'production'],
  ])('with "%s" as %p too', async (name, value) => {
    const query = new URLSearchParams({ ...whole, [name]: value })
    await expectError(await service.fetch(`/api/compare?${query}`), 400, 'bad_request')
  })

  test('for what is not there is a 404 that says so', async () => {
    const [ada, other] = [await signUpPoster(service), await signUpPoster(service)]
    const [id, foreign] = [await deploy(ada, 'staging', 'v1'), await deploy(other, 'production', 'v1')]
    const nowhere = await ada.announced({ message: 'x', url: engine })
    for (const [from, to] of [
      ['staging', 'production'],
      ['production', 'staging'],
      [id, foreign],
      [id, nowhere],
      [id, 999_999_999_999_999],
    ] as const) {
      await expectError(await service.fetch(asked(ada, from, to)), 404, 'not_found')
    }
    await expectError(await service.fetch(asked(ada, id, id, 'github.com/ada')), 404, 'not_found')
    expect((await service.fetch(asked(ada, id, id))).status).toBe(200)
  })
})
