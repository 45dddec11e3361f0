import { describe, expect, test } from 'bun:test'
import {
  allAhead,
  boardOf,
  environmentTable,
  type LiveEnvironment,
  maxAhead,
  type Recent,
  waitOf,
} from '../../../src/domain/environment/board.ts'
import { nearestToProduction, ofLastStage } from '../../../src/domain/environment/stages.ts'
import { day } from '../../../src/domain/time.ts'
import { deployment, now } from '../../views/samples.ts'

type Release = Partial<Pick<Recent, 'version' | 'commit'>>

type Deployed = readonly [environment: string, release: Release]

/** What is live after these deployments, in their order. */
function after(...deployments: readonly Deployed[]) {
  const live = new Map<string, LiveEnvironment>()
  for (const [index, [environment, release]] of deployments.entries()) {
    const one = deployment({ id: index + 1, environment, ...release })
    const recent = [one, ...(live.get(environment)?.recent ?? [])].slice(0, maxAhead + 1)
    live.set(environment, { deployment: one, recent })
  }
  return boardOf([...live.values()].sort((a, b) => b.deployment.id - a.deployment.id))
}

/** The versions in staging that are ahead of production, according to the board. */
function ahead(...deployments: readonly Deployed[]): readonly (string | undefined)[] {
  const row = after(...deployments).find(({ deployment }) => deployment.environment === 'staging')
  return (row?.ahead?.deployments ?? []).map(({ version }) => version)
}

const [one, two, three] = ['v1', 'v2', 'v3'].map((version) => ({ version })) as [Release, Release, Release]

describe('the order of environments', () => {
  test('is the known one, however they are spelled, and then the newest first', () => {
    const rows = after(
      ['eu', {}],
      ['LIVE', {}],
      ['preview/pr-1', {}],
      ['Staging', {}],
      ['dev', {}],
      ['qa', {}],
    )
    const names = rows.map(({ deployment }) => deployment.environment)
    expect(names).toEqual(['dev', 'qa', 'Staging', 'LIVE', 'preview/pr-1', 'eu'])
    expect(rows.map(({ ahead }) => ahead?.of)).toEqual([
      'qa',
      'Staging',
      'LIVE',
      undefined,
      undefined,
      undefined,
    ])
  })

  test('has those nearest to production at its end, and the newest of the others last', () => {
    const newestFirst = ['pr-2', 'dev', 'pr-1', 'live', 'qa', 'Staging', 'prod-eu']
    const nearest = (most: number) => nearestToProduction(newestFirst, (name) => name, most, null)
    expect(nearest(1)).toEqual(['live'])
    expect(nearest(3)).toEqual(['Staging', 'live', 'prod-eu'])
    expect(nearest(6)).toEqual(['dev', 'qa', 'Staging', 'live', 'prod-eu', 'pr-2'])
    expect(nearest(9)).toEqual(['dev', 'qa', 'Staging', 'live', 'prod-eu', 'pr-2', 'pr-1'])
  })
})

describe('the last stage', () => {
  test.each([
    [
      ['dev', 'Production', 'qa', 'prod-eu', 'blue'],
      ['Production', 'prod-eu'],
    ],
    [['staging', 'dev', 'blue'], ['staging']],
    [['blue', 'green'], []],
    [[], []],
  ])('of %j is %j', (environments, last) => {
    expect(ofLastStage(environments, null)).toEqual(last)
  })
})

describe('an environment of a region', () => {
  const live = { version: 'v1' }

  test('has the place of its stage', () => {
    const names = ['prod-eu', 'staging-eu', 'us-east-1/production', 'eastus2.stg', 'dev_westeurope', 'canary']
    const rows = after(...names.map((name) => [name, live] as const))
    expect(rows.map(({ deployment }) => deployment.environment)).toEqual([
      'dev_westeurope',
      'eastus2.stg',
      'staging-eu',
      'us-east-1/production',
      'prod-eu',
      'canary',
    ])
  })

  test.each([
    'pre-eu',
    'staging-123',
    '2-staging',
    'staging-pr-7',
    'test-production',
    'eu',
    'production-preview',
    'eu-',
  ])('is none of another kind: %s', (name) => {
    const [, row] = after(['production', live], [name, live])
    expect([row?.deployment.environment, row?.ahead]).toEqual([name, null])
  })

  test.each([
    ['staging-eu', ['prod-us', 'prod-eu', 'production'], 'prod-eu'],
    ['staging-eu-west-1', ['prod_euwest1', 'production'], 'prod_euwest1'],
    ['staging-eu', ['prod-us', 'production'], 'production'],
    ['staging-eu', ['prod-us'], undefined],
    ['staging', ['prod-us', 'prod-eu'], 'prod-eu'],
    ['staging', ['prod-us', 'production'], 'production'],
    ['test-eu', ['staging', 'prod-eu'], 'staging'],
    ['test-eu', ['staging-us', 'prod-eu'], 'prod-eu'],
    ['qa1', ['staging2', 'staging1', 'production'], 'staging1'],
    ['qa-2', ['staging1', 'production'], 'production'],
    ['staging-2-eu', ['prod-us', 'prod'], 'prod'],
  ])('is ahead of the next one that serves its region: %s of %p is ahead of %p', (from, others, of) => {
    const rows = after(...others.map((name) => [name, live] as const), [from, live])
    expect(rows.find(({ deployment }) => deployment.environment === from)?.ahead?.of).toBe(of)
  })
})

describe('what is ahead', () => {
  test('came after the release that is live in the next environment, even if that was promoted later', () => {
    expect(ahead(['staging', one], ['staging', two], ['production', one])).toEqual(['v2'])
    expect(ahead(['staging', one], ['staging', two], ['production', one], ['production', two])).toEqual([])
  })

  test('comes back after a rollback', () => {
    const before = [
      ['staging', one],
      ['staging', two],
      ['production', two],
    ] as const
    expect(ahead(...before)).toEqual([])
    expect(ahead(...before, ['production', one])).toEqual(['v2'])
    expect(ahead(...before, ['production', one], ['staging', one])).toEqual([])
  })

  test('came after the next environment was deployed to, if its release is not known', () => {
    expect(ahead(['staging', one], ['production', {}], ['staging', two], ['staging', three])).toEqual([
      'v3',
      'v2',
    ])
    expect(ahead(['staging', one], ['production', three])).toEqual([])
  })

  test('is decided by the commit if both have one, and a short one is the beginning of a long one', () => {
    const [long, short, other] = ['A89852AC0B', 'a89852a', 'b89852a']
    const released = (commit: string, version: string) => ({ commit, version })
    expect(ahead(['staging', released(long, 'v1')], ['production', released(short, 'v9')])).toEqual([])
    expect(ahead(['production', released(other, 'v1')], ['staging', released(short, 'v1')])).toEqual(['v1'])
  })

  test.each([
    [maxAhead, false],
    [maxAhead + 1, true],
  ])('is counted up to a bound; after %d deployments there is more: %p', (count, isMore) => {
    const staged = Array.from({ length: count }, () => ['staging', {}] as const)
    const [row] = after(['production', one], ...staged)
    expect(row?.ahead?.deployments).toHaveLength(maxAhead)
    expect(row?.ahead?.isMore).toBe(isMore)
  })
})

describe('how long what is ahead has waited', () => {
  const deployedAgo = (age: number, id: number) =>
    deployment({ id, environment: 'staging', deployedAt: new Date(now.getTime() - age) })
  const aheadBy = (...ages: readonly number[]) => ({
    deployments: ages.map((age, n) => deployedAgo(age, 9 - n)),
  })

  test.each([
    [day - 1, null],
    [day, { look: 'due', duration: '1 day' }],
    [7 * day - 1, { look: 'due', duration: '6 days' }],
    [7 * day, { look: 'overdue', duration: '7 days' }],
  ] as const)('is told by the oldest: %d ms', (age, wait) => {
    expect(waitOf(aheadBy(0, age), now)).toEqual(wait)
  })

  test('is nothing where nothing is ahead', () => {
    expect(waitOf(aheadBy(), now)).toBeNull()
  })

  test('is of those that are ahead in each environment', () => {
    const [newest, oldest] = [deployedAgo(0, 9), deployedAgo(day, 8)]
    const production = deployment({ id: 7, environment: 'production' })
    const live = [
      { deployment: newest, recent: [newest, oldest] },
      { deployment: production, recent: [] },
    ]
    expect(allAhead(live)).toEqual([newest, oldest])
    expect(allAhead(live.slice(0, 1))).toEqual([])
  })
})

describe('the table of environments', () => {
  /** The table of what is live after these deployments, in their order, each "target environment". */
  function tableOf(most: number, ...deployed: readonly string[]) {
    const live = deployed.map((text, index) => {
      const [target = '', environment = ''] = text.split(' ')
      return { target, deployment: deployment({ id: index + 1, environment }), recent: [] }
    })
    return environmentTable(live.toReversed(), most)
  }

  test('has the environments of the most targets as columns, and among equals those nearest to production', () => {
    const equals = ['a dev', 'b qa', 'c prod', 'd preview'] as const
    expect(tableOf(2, ...equals).columns).toEqual(['qa', 'prod'])
    expect(tableOf(3, ...equals).columns).toEqual(['dev', 'qa', 'prod'])
    const deployed = ['a eu', 'b eu', 'a staging', 'b staging', 'a production', 'a us', 'a canary'] as const
    const { columns, others, otherEnvironments } = tableOf(4, ...deployed)
    expect(columns).toEqual(['staging', 'production', 'canary', 'eu'])
    expect(others.map(({ deployment }) => deployment.environment)).toEqual(['us'])
    expect(otherEnvironments).toBe(1)
    expect(tableOf(5, ...deployed)).toMatchObject({ others: [], otherEnvironments: 0 })
  })

  test('has the targets with something in a column as rows, the newest first', () => {
    const { rows, others } = tableOf(2, 'a staging', 'c preview', 'a production', 'b Staging')
    expect(
      rows.map(({ target, cells }) => [target, ...cells.map((cell) => cell?.deployment.id ?? null)]),
    ).toEqual([
      ['b', 4, null],
      ['a', 1, 3],
    ])
    expect(others.map(({ target }) => target)).toEqual(['c'])
  })

  test('has a row for each user of a target, and may have one column only', () => {
    const live = ['ada', 'grace'].flatMap((username, n) =>
      ['staging', 'Production'].map((environment, m) => ({
        target: 'a',
        recent: [],
        deployment: deployment({
          ...{ id: 9 - 2 * n - m, environment },
          poster: { id: n, username, name: username },
        }),
      })),
    )
    const { columns, rows, others, otherEnvironments } = environmentTable(live, 8, 'production')
    expect(columns).toEqual(['Production'])
    expect(rows.map(({ poster, cells }) => [poster.username, cells[0]?.deployment.id])).toEqual([
      ['ada', 8],
      ['grace', 6],
    ])
    expect([others, otherEnvironments]).toEqual([[], 0])
  })

  test('names a column as the newest deployment to it does', () => {
    expect(tableOf(8, 'a Staging', 'b STAGING').columns).toEqual(['STAGING'])
    expect(tableOf(8).columns).toEqual([])
  })
})
