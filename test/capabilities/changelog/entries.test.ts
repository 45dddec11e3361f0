import { describe, expect, test } from 'bun:test'
import { deploymentsRead } from '../../../src/capabilities/changelog/rules.ts'
import { textIn } from '../../fixtures/files.ts'
import { addImport } from '../../support/api.ts'
import { addToken, type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

type Said = { readonly message: string; readonly [field: string]: unknown }

const url = 'https://github.com/ada/engine'
const at = (hour: number, day = 2) =>
  `2026-03-${String(day).padStart(2, '0')}T${String(hour % 24).padStart(2, '0')}:00:00Z`

/** The changelog of a project in which this was announced, one an hour unless it says when. */
async function changelogOf(...said: readonly Said[]): Promise<string> {
  return (await changelogOfNew(said)).text
}

async function changelogOfNew(said: readonly Said[], query = '') {
  const ada = await signUpPoster(service)
  const { token } = await addToken(ada, { name: 'history', history: 'on' })
  const items = said.map((item, n) => ({ url, key: String(n), deployed_at: at(n), ...item }))
  expect((await addImport(service, { token }, items)).refused).toEqual([])
  return { ada, text: await read(ada, query) }
}

/** What it says below its title. */
async function read(ada: Pick<Poster, 'username'>, query = ''): Promise<string> {
  const response = await service.fetch(`/${ada.username}/github.com/ada/engine/changelog.md${query}`)
  expect([query, response.status]).toEqual([query, 200])
  const [, , ...blocks] = (await response.text()).split('\n\n')
  return blocks
    .filter((block) => !/^\[[^\]]*\]: /.test(block))
    .join('\n\n')
    .trim()
}

const v = (version: string, message = 'feat: one', more: object = {}) => ({ message, version, ...more })

describe('an entry', () => {
  test('is a version with its day, the newest first, and has features, fixes and the rest in this order', async () => {
    const text = await changelogOf(
      v('v1.0.0', 'feat: begin', { deployed_at: at(0, 1) }),
      v('v1.1.0', 'Show the weather', { deployed_at: at(1) }),
      v('v1.1.0', 'style: rounder buttons', { deployed_at: at(2) }),
      v('v1.1.0', 'perf: answer sooner', { deployed_at: at(3) }),
      v('v1.1.0', 'fix(api)!: refuse wrong dates', { deployed_at: at(4) }),
      v('v1.1.0', '✨ feat: saved searches (#12)', { deployed_at: at(5) }),
    )
    expect(text).toBe(`## [v1.1.0] - 2026-03-02

### Added

- Saved searches

### Fixed

- **Breaking:** Refuse wrong dates

### Changed

- Answer sooner
- Rounder buttons
- Show the weather

## [v1.0.0] - 2026-03-01

### Added

- Begin`)
  })

  test('tells each headline once, and keeps the day on which its version first came', async () => {
    const text = await changelogOf(
      v('v1', 'feat: one', { deployed_at: at(0, 1) }),
      v('v2', 'feat: two', { deployed_at: at(0, 2) }),
      v('v1', 'Feat: One', { deployed_at: at(0, 3) }),
    )
    expect(text).toBe(
      '## [v2] - 2026-03-02\n\n### Added\n\n- Two\n\n## [v1] - 2026-03-01\n\n### Added\n\n- One',
    )
  })

  test('has what came without a version before it; what came after the last has its day', async () => {
    const text = await changelogOf(
      { message: 'feat: before one', deployed_at: at(0, 1) },
      v('v1', 'fix: one', { deployed_at: at(0, 2) }),
      { message: 'feat: before two', deployed_at: at(0, 3) },
      v('v2', 'fix: two', { deployed_at: at(0, 4) }),
      { message: 'fix: a', deployed_at: at(0, 5) },
      { message: 'fix: b', deployed_at: at(23, 5) },
      { message: 'fix: c', deployed_at: at(0, 6) },
    )
    expect([...(text.match(/^(## .*|- .*)$/gm) ?? [])]).toEqual([
      ...['## 2026-03-06', '- C', '## 2026-03-05', '- B', '- A'],
      ...['## [v2] - 2026-03-04', '- Before two', '- Two', '## [v1] - 2026-03-02', '- Before one', '- One'],
    ])
  })
})

describe('left out are', () => {
  test.each([
    ...['chore: tidy up', 'ci: run less', 'docs: say more', 'refactor: move it', 'test: more', 'build: less'],
    ...['📝 Add a page', '♻️ move it', 'wip: half of it', 'release: ready'],
    ...['Bump lodash from 4.17.20 to 4.17.21', 'fix(deps): update dependency vite to v5'],
    'feat: x\n\nSigned-off-by: dependabot[bot] <support@github.com>',
  ])('%j', async (message) => {
    expect(await changelogOf(v('v1', 'feat: kept'), v('v2', message), v('v3', message))).toBe(
      '## [v1] - 2026-03-02\n\n### Added\n\n- Kept',
    )
  })

  test('but other work that breaks something is told, and work that was announced with a category', async () => {
    const text = await changelogOf(
      v('v1', 'chore!: need Node 22', { deployed_at: at(0) }),
      v('v1', 'refactor: move it\n\nBREAKING CHANGE: the old paths are gone', { deployed_at: at(1) }),
      v('v1', 'chore: faster', { category: 'performance_improvement', deployed_at: at(2) }),
    )
    expect(text).toBe(`## [v1] - 2026-03-02

### Changed

- Faster
- **Breaking:** Move it

  the old paths are gone

- **Breaking:** Need Node 22`)
  })

  test('versions without anything to tell, but not those that are only named', async () => {
    expect(await changelogOf(v('v1', 'chore: x'), v('v2', 'Release v2'), v('v3', 'engine v3 released'))).toBe(
      '## [v3] - 2026-03-02\n\n## [v2] - 2026-03-02',
    )
  })
})

test('the notes of a version stand below it, without the heading that release tools write', async () => {
  const notes = '## [3.1.0](https://github.com/ada/engine/compare/v3.0.0...v3.1.0) (2026-03-01)'
  const text = await changelogOf(
    v(
      'v3.1.0',
      `chore(main): release 3.1.0 (#90)\n\n${notes}\n\n### Features\n\n* CSV ([#81](https://a.example/81))`,
    ),
  )
  expect(text).toBe('## [v3.1.0] - 2026-03-02\n\n#### Features\n\n* CSV ([#81](https://a.example/81))')
})

test.each([
  [
    'notes-by-release-please.md',
    'v15.11.0',
    '#### Features\n\n* **node:** Support package-lock.json version 3',
  ],
  ['notes-by-semantic-release.md', 'v2.12.5', '#### Bug Fixes\n\n* actually publish reset script'],
])('%s stand below their version, whether or not a title precedes them', async (file, version, begin) => {
  const notes = await textIn(`messages/${file}`)
  for (const message of [notes, `chore(main): release ${version.slice(1)} (#90)\n\n${notes}`]) {
    const text = await changelogOf(v(version, message))
    expect(text).toStartWith(`## [${version}] - 2026-03-02\n\n${begin}`)
    expect(text).not.toContain('### Added')
  }
})

describe('of the environments', () => {
  const to = (environment: string | undefined, message: string) => ({
    message: `feat: ${message}`,
    environment,
  })
  const told = async (...said: readonly Said[]) => (await changelogOf(...said)).match(/^- .*$/gm)

  test('only production counts, in whatever spelling and region', async () => {
    expect(
      await told(
        to('staging', 'a'),
        to('Production', 'b'),
        to('prod-eu', 'c'),
        to('blue', 'd'),
        to(undefined, 'e'),
      ),
    ).toEqual(['- C', '- B'])
  })

  test('without production, only the last stage counts', async () => {
    expect(await told(to('dev', 'a'), to('staging', 'b'), to('blue', 'c'))).toEqual(['- B'])
  })

  test('all count if no name is known', async () => {
    expect(await told(to('blue', 'a'), to(undefined, 'b'))).toEqual(['- B', '- A'])
  })

  test('the page says which do', async () => {
    const { ada } = await changelogOfNew([to('staging', 'a'), to('Live', 'b')])
    const page = await (await service.fetch(`/${ada.username}/github.com/ada/engine/changelog`)).text()
    expect(page).toContain('What reached Live.')
  })
})

describe('a page', () => {
  const many = (count: number, of: (n: number) => object) =>
    Array.from({ length: count }, (_, n) => ({ message: `feat: change ${n}`, ...of(n) }))
  const headings = (text: string): readonly string[] => text.match(/^## .*$/gm) ?? []
  const items = (text: string) => (text.match(/^- /gm) ?? []).length
  const older = (text: string) => /changelog\.md(\?before=-?\d+)/.exec(text)?.[1] ?? null

  test.each([
    [deploymentsRead, false],
    [deploymentsRead + 1, true],
  ])('of %d deployments of versions has older ones: %p', async (count, hasOlder) => {
    const said = many(count, (n) => ({
      version: `v${Math.floor(n / 2)}`,
      deployed_at: new Date(Date.UTC(2026, 2, 1, 0, n)).toISOString(),
    }))
    const { ada, text } = await changelogOfNew(said)
    expect([older(text) !== null, items(text)]).toEqual([hasOlder, hasOlder ? deploymentsRead - 1 : count])
    if (!hasOlder) return
    const rest = await read(ada, older(text) ?? '')
    expect([older(rest), items(rest)]).toEqual([null, 2])
    expect(headings(text).filter((one) => headings(rest).includes(one))).toEqual([])
  })

  test('of days ends with a whole day', async () => {
    const said = many(deploymentsRead + 10, (n) => ({ deployed_at: at(0, n < 15 ? 1 : 2) }))
    const { ada, text } = await changelogOfNew(said)
    expect([headings(text), items(text)]).toEqual([['## 2026-03-02'], deploymentsRead - 5])
    const rest = await read(ada, older(text) ?? '')
    expect([headings(rest), items(rest)]).toEqual([['## 2026-03-01'], 15])
  })

  test('of one long entry goes on in the next', async () => {
    const { ada, text } = await changelogOfNew(many(deploymentsRead + 10, () => ({ deployed_at: at(0) })))
    expect([headings(text), items(text)]).toEqual([['## 2026-03-02'], deploymentsRead])
    expect(items(await read(ada, older(text) ?? ''))).toBe(10)
  })
})
