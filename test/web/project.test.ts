import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { utcDayOf } from '../../src/domain/time.ts'
import { query } from '../support/database.ts'
import { passMidnight } from '../support/eventually.ts'
import { elementsOf, entriesOf, olderLink, textOf } from '../support/markup.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const posts = [
  ['feat: host', 'https://example.com'],
  ['fix: deep', 'https://app.eu.example.com/changelog'],
  ['feat: repo', 'https://www.GitHub.com/navy/Compiler/pull/1'],
  ['fix: longer name', 'https://github.com/navy/compiler-rt/pull/2'],
  ['chore: other', 'https://notexample.com/navy/compiler'],
  ['feat: no link', null],
] as const

const service = await useService()
const grace = await signUpPoster(service, { name: 'Grace Hopper' })
const other = await signUpPoster(service)
await other.announce({ message: 'Not hers', url: 'https://github.com/navy/compiler/1' })
for (const [message, url] of posts) await grace.announce({ message, ...(url === null ? {} : { url }) })

const get = (path: string) => service.fetch(path, { redirect: 'manual' })
const hrefsOf = (page: string) => elementsOf(page).flatMap(({ attributes }) => attributes.href ?? [])

async function messages(path: string): Promise<string[]> {
  const response = await get(`/${grace.username}/${path}`)
  expect(response.status).toBe(200)
  return (await entriesOf(response)).map(({ message }) => message).toReversed()
}

test('a repository with and without .git is one project, in whatever it is asked for', async () => {
  const ada = await signUpPoster(service)
  const spellings = [
    'github.com/ada/engine',
    'https://github.com/Ada/engine.git',
    'github.com/ada/engine.git/',
  ]
  for (const url of ['https://github.com/ada/engine.git', 'https://github.com/ada/engine/pull/1']) {
    await ada.announce({ message: 'Shipped', url })
  }
  const page = `/${ada.username}/github.com/ada/engine`
  for (const spelling of spellings) {
    const target = encodeURIComponent(spelling)
    const badge = await (await get(`/badge/${ada.username}.json?url=${target}`)).json()
    expect(badge).toMatchObject({ message: 'Fresh' })
    const list = await (await get(`/api/deployments?user=${ada.username}&target=${target}`)).json()
    expect((list as { deployments: unknown[] }).deployments).toHaveLength(2)
    const found = await (
      await get(`/api/deployments?q=${encodeURIComponent(`@${ada.username} ${spelling}`)}`)
    ).json()
    expect((found as { deployments: unknown[] }).deployments).toHaveLength(2)
    const wall = await (await get(`/wall?user=${ada.username}&target=${target}`)).text()
    expect(wall.match(/Shipped/g)?.length ?? 0).toBeGreaterThan(1)
    const asked = await get(`/${ada.username}?target=${target}`)
    expect([asked.status, asked.headers.get('location')]).toEqual([308, page])
  }
  for (const path of [`${page}.git`, `${page}.GIT`, `${page}.git/commit/abc`]) {
    const response = await get(path)
    expect([path, response.status, response.headers.get('location')]).toEqual([path, 308, page])
  }
  expect(await entriesOf(await get(page))).toHaveLength(2)
  const profile = await (await get(`/${ada.username}`)).text()
  expect(new Set(hrefsOf(profile).filter((href) => href.startsWith(page)))).toEqual(new Set([page]))
})

describe('GET /<username>/<target>', () => {
  test.each([
    ['example.com', ['feat: host', 'fix: deep']],
    ['eu.example.com', ['fix: deep']],
    ['app.eu.example.com/changelog', ['fix: deep']],
    ['github.com/navy/compiler', ['feat: repo']],
    ['github.com/navy/compiler/', ['feat: repo']],
    ['github.com/navy', ['feat: repo', 'fix: longer name']],
    ['example.com?category=bug_fix', ['fix: deep']],
    ['example.com?category=styling_change', []],
  ])('%p lists %p', async (path, expected) => {
    expect(await messages(path)).toEqual([...expected])
  })

  test.each([
    ['GitHub.com/Navy/Compiler', 'github.com/navy/compiler'],
    ['www.example.com:8443', 'example.com'],
    ['example.com.', 'example.com'],
    ['github.com/navy/compiler/pull/1?category=feature', 'github.com/navy/compiler?category=feature'],
    ['https://github.com/navy/compiler', 'github.com/navy/compiler'],
    ['github.com//navy', 'github.com/navy'],
  ])('%p has moved permanently', async (path, canonical) => {
    const response = await get(`/${grace.username}/${path}`)
    expect([response.status, response.headers.get('location')]).toEqual([
      308,
      `/${grace.username}/${canonical}`,
    ])
  })

  test.each([
    'com',
    'xample.com',
    'nowhere.example',
    'github.com/navy/none?before=9',
    '%25',
    'a%20b',
    '04',
    '%00/x',
  ])('%p, to which nothing was deployed, is 404 and says where the others are', async (path) => {
    const response = await get(`/${grace.username}/${path}`)
    expect(response.status).toBe(404)
    expect(textOf(await response.text(), 'main')).toContain(`/${grace.username}`)
  })

  test('of nobody is 404', async () => {
    expect((await get('/nobody-of-this-name/example.com')).status).toBe(404)
    expect((await get('/nobody-of-this-name/example.com/a')).status).toBe(404)
  })

  test('says whose it is, since when, and where, and shows its own badge', async () => {
    const page = await (await get(`/${grace.username}/github.com/navy/compiler`)).text()
    expect(textOf(page, 'h1')).toBe('github.com/navy/compiler')
    expect(textOf(page, '.owner')).toBe('Grace Hopper')
    expect(textOf(page, 'title')).toBe('github.com/navy/compiler by Grace Hopper · Shipfeed')
    expect(textOf(page, '.project-head')).toMatch(
      /First deployment in [A-Z][a-z]+ 20\d\d · Open on github\.com · Changelog$/,
    )
    expect(hrefsOf(page)).toContain('https://github.com/navy/compiler')
    const badge = elementsOf(page).find(({ attributes }) => attributes.class === 'badge')
    expect(badge?.attributes.src).toBe(`/badge/${grace.username}.svg?show=age&url=github.com/navy/compiler`)
    const address = `http://shipfeed.test/${grace.username}/github.com/navy/compiler`
    expect(hrefsOf(page)).toContain(address)
    expect(textOf(page, 'code')).toContain(`(${address})`)
  })

  test('of a host has what lies below it; one project has nothing below', async () => {
    const host = await (await get(`/${grace.username}/example.com`)).text()
    expect(textOf(host, '#targets h2')).toBe('Projects under example.com')
    expect(textOf(host, '#targets a')).toBe('app.eu.example.com/changelog')
    const repository = await (await get(`/${grace.username}/github.com/navy/compiler`)).text()
    expect(textOf(repository, '#targets')).toBe('')
  })

  test('goes together with ?category=, and each part can be followed', async () => {
    const base = `/${grace.username}/example.com`
    const page = await (await get(`${base}?category=bug_fix`)).text()
    const links = hrefsOf(page)
    expect(links).toContain(`${base}?category=feature#list`)
    expect(links).toContain(`${base}#list`)
    expect(links).toContain(`http://shipfeed.test${base}?category=bug_fix`)
    expect(page).toContain(
      `hx-sse:connect="/feed/live?user=${grace.username}&amp;category=bug_fix&amp;target=example.com"`,
    )
    expect(links).toContain(`/${grace.username}/feed.atom?category=bug_fix&target=example.com`)
  })

  test('is linked from the profile and from entries, in its one spelling', async () => {
    const poster = await signUpPoster(service)
    await poster.announce({ message: 'IDN', url: 'https://MÜNCHEN.example/a' })
    await poster.announce({ message: 'Deep', url: 'https://gitlab.com/group/sub/project/-/jobs/1' })
    await poster.announce({ message: 'Odd', url: "https://git.example/a%2Fb/(it's)" })
    const page = await (await get(`/${poster.username}`)).text()
    for (const [name, path, message] of [
      ['münchen.example/a', 'xn--mnchen-3ya.example/a', 'IDN'],
      ['group/sub/project', 'gitlab.com/group/sub/project/-', 'Deep'],
      ["git.example/a%2fb/(it's)", 'git.example/a%2fb/%28it%27s%29', 'Odd'],
    ] as const) {
      expect(textOf(page, '.targets')).toContain(name)
      const address = `/${poster.username}/${path}`
      expect(hrefsOf(page)).toContain(address)
      const list = await entriesOf(await get(address))
      expect(list.map((entry) => entry.message)).toEqual([message])
    }
    expect(hrefsOf(page)).toContain(`/${poster.username}/gitlab.com/group/sub/project/-`)
  })

  test('was a filter of the profile once, whose links lead here', async () => {
    const response = await get(`/${grace.username}?target=www.GitHub.com%2Fnavy&category=feature&before=9`)
    expect(response.status).toBe(308)
    expect(response.headers.get('location')).toBe(
      `/${grace.username}/github.com/navy?category=feature&before=9`,
    )
  })

  test('that covers more than 200 targets is refused, and says what to ask instead', async () => {
    const poster = await signUpPoster(service)
    await poster.announce({ message: 'One of many', url: 'https://github.com/many/p1' })
    const covered = (last: number) =>
      query(
        service.db,
        sql`
          insert into target_scopes (user_id, scope, target)
          select id, 'github.com/many', 'github.com/many/p' || n from users, generate_series(2, ${last}) n
          where username = ${poster.username} on conflict do nothing`,
      )
    const answer = async (target: string) => {
      const page = await get(`/${poster.username}/${target}`)
      return [page.status, textOf(await page.text(), 'main')]
    }
    await covered(200)
    expect((await answer('github.com/many'))[0]).toBe(200)
    await covered(201)
    // A change of this table alone does not change the version of a kept page.
    await poster.announce({ message: 'One more', url: 'https://github.com/many/p1' })
    expect(await answer('github.com/many')).toEqual([400, expect.stringContaining('Ask for one of them')])
    expect(await answer('github.com/many/p1')).toEqual([200, expect.stringContaining('One of many')])
  })

  test('has older pages, of 25 each', async () => {
    const poster = await signUpPoster(service)
    for (let n = 0; n < 30; n += 1) {
      await poster.announce({
        message: `Number ${n}`,
        url: `https://${n % 10 === 0 ? 'x' : 'y'}.example/a`,
      })
    }
    const first = await get(`/${poster.username}/y.example`)
    const page = await first.clone().text()
    const entries = await entriesOf(first)
    expect(entries).toHaveLength(25)
    expect(olderLink(page)).toBe(`/${poster.username}/y.example?before=${entries.at(-1)?.id}`)
    const rest = await entriesOf(
      await service.fetch(olderLink(page) ?? '', { headers: { 'HX-Request': 'true' } }),
    )
    expect(rest.map(({ message }) => message)).toEqual(['Number 2', 'Number 1'])
  })

  test('has the numbers and the year of what it covers, and no longer those of what was withdrawn', async () => {
    await passMidnight()
    const poster = await signUpPoster(service)
    const ids: number[] = []
    for (const url of [
      'https://a.example',
      'https://b.a.example/x',
      'https://a.example',
      'https://c.example',
    ]) {
      ids.push(await poster.announced({ message: 'A', url }))
    }
    const year = async (target: string) => {
      const page = await (await get(`/${poster.username}/${target}`)).text()
      return /data-counts=",*(\d+)"/.exec(page)?.[1]
    }
    expect(await Promise.all(['a.example', 'b.a.example', 'c.example'].map(year))).toEqual(['3', '1', '1'])
    for (const place of [0, 3]) await poster.send(`/${poster.username}/${ids[place]}/delete`, {})
    expect(await year('a.example')).toBe('2')
    expect((await get(`/${poster.username}/c.example`)).status).toBe(404)
  })
})

describe('?on=', () => {
  /** Two days ago at noon, and both ends of that day: ids are in the order of the instants. */
  async function withDays(): Promise<{ poster: Poster; date: string }> {
    const poster = await signUpPoster(service)
    const start = Math.floor(Date.now() / 86_400_000 - 2) * 86_400_000
    const rows = [
      ['Before', -1],
      ['First', 0],
      ['Noon', 43_200_000],
      ['Last', 86_399_999],
      ['After', 86_400_000],
    ] as const
    for (const [message, ms] of rows) {
      await query(
        service.db,
        sql`
          insert into deployments (user_id, message, scopes, target, category, deployed_at)
          select id, ${message}, '{"",day.example}', 'day.example', ${message === 'Noon' ? 'feature' : null},
            ${new Date(start + ms).toISOString()}::timestamptz
          from users where username = ${poster.username}`,
      )
    }
    await query(
      service.db,
      sql`
        insert into target_scopes (user_id, scope, target)
        select id, 'day.example', 'day.example' from users where username = ${poster.username}`,
    )
    return { poster, date: new Date(start).toISOString().slice(0, 10) }
  }

  test('lists one day of UTC, of a person and of a project, with times of day', async () => {
    // The others of this file are of today.
    await query(service.db, sql`delete from deployments`)
    const { poster, date } = await withDays()
    for (const base of [`/${poster.username}`, `/${poster.username}/day.example`]) {
      const read = async (query: string) => (await get(`${base}?on=${date}${query}`)).text()
      const page = await read('')
      expect((await entriesOf(await get(`${base}?on=${date}`))).map(({ message }) => message)).toEqual([
        'Last',
        'Noon',
        'First',
      ])
      expect(textOf(page, 'time.clock')).toBe('23:5912:0000:00')
      expect(textOf(page, '.list-head .newer')).toBe('All days')
      expect(hrefsOf(page)).toContain(`${base}#list`)
      expect(page).not.toContain('hx-sse:connect')
      expect(await entriesOf(await get(`${base}?on=${date}&category=feature`))).toHaveLength(1)
    }
    const page = await (await get(`/${poster.username}/day.example?on=${date}&year=list`)).text()
    expect(textOf(page, '[aria-current=date]')).toEndWith(': 3')
    expect(hrefsOf(page)).toContain(`?on=${date}#list`)
    const { length } = hrefsOf(page).filter((href) => href.startsWith('?on='))
    expect(length).toBe(3)
  })

  test('without a deployment says so, and leads back', async () => {
    const page = await (await get(`/${grace.username}?on=2001-02-03`)).text()
    expect(textOf(page, '.empty')).toContain('Nothing was deployed on this day')
    expect(hrefsOf(page)).toContain(`/${grace.username}#list`)
  })

  test.each(['0000-01-01', '0001-01-01', '2028-02-29', '9999-12-31'])('may be %s', async (on) => {
    for (const base of [`/${grace.username}`, `/${grace.username}/github.com`]) {
      const response = await get(`${base}?on=${on}`)
      expect(response.status).toBe(200)
      expect(await entriesOf(response)).toEqual([])
    }
  })

  test.each(['2026-2-3', '2026-02-30', '2026-02-29', 'today', '2026-11-02T10:00Z', '-1', '+02026-11-02'])(
    '%p is no day: 400',
    async (on) => {
      expect((await get(`/${grace.username}?on=${encodeURIComponent(on)}`)).status).toBe(400)
      expect((await get(`/${other.username}/github.com?on=${encodeURIComponent(on)}`)).status).toBe(400)
    },
  )
})

describe('among several environments', () => {
  const url = 'https://github.com/ada/engine/pull/1'

  /** What the badge in the head shows and means, and what the year counts. */
  async function wordsOn(path: string) {
    const page = await (await get(path)).text()
    const [badge] = elementsOf(page).filter(({ attributes }) => attributes.class === 'badge')
    const query = new URLSearchParams(badge?.attributes.src?.split('?')[1])
    return {
      badge: [query.get('label'), query.get('env')],
      meaning: textOf(page, '.meaning'),
      year: textOf(page, '#year > .hint:not(.legend)').replace(/ since [^,]*/, ''),
    }
  }

  test('badge and year say which they mean', async () => {
    const ada = await signUpPoster(service)
    const path = `/${ada.username}/github.com/ada/engine`
    const ofAll = [null, null]
    const production = await ada.announced({ message: 'x', url, environment: 'Production' })
    await query(
      service.db,
      sql`update deployments set deployed_at = now() - interval '4 hours' where id = ${production}`,
    )
    expect(await wordsOn(path)).toMatchObject({ badge: ofAll, year: '1 deployment' })
    await ada.announced({ message: 'x', url, environment: 'staging' })
    const year = '2 deployments, to all environments'
    expect(await wordsOn(path)).toEqual({
      badge: ofAll,
      meaning: 'Fresh: deployed to staging in the last 3 hours',
      year,
    })
    expect(await wordsOn(`${path}?env=production`)).toEqual({
      badge: ['Production', 'Production'],
      meaning: 'Warm: deployed to Production in the last 24 hours',
      year,
    })
    // The newest went to none.
    await ada.announced({ message: 'x', url })
    expect(await wordsOn(path)).toMatchObject({ meaning: 'Fresh: deployed in the last 3 hours' })
  })

  test('the words of a Stale badge name the environment that is asked for', async () => {
    const ada = await signUpPoster(service)
    const path = `/${ada.username}/github.com/ada/engine`
    for (const environment of ['production', 'staging'])
      await ada.announce({ message: 'x', url, environment })
    await query(
      service.db,
      sql`update deployments set deployed_at = now() - interval '300 days' where user_id = (select id from users where username = ${ada.username})`,
    )
    const { meaning } = await wordsOn(path)
    expect(meaning).toMatch(/^Stale: nothing deployed for /)
    expect((await wordsOn(`${path}?env=staging`)).meaning).toMatch(/^Stale: nothing deployed to staging for /)
  })
})

describe('the board of environments', () => {
  const url = 'https://github.com/ada/engine/pull/1'
  const boardOf = async ({ username }: Poster) => {
    const page = await (await get(`/${username}/github.com/ada/engine`)).text()
    return { page, text: textOf(page, '#environments').replace(/\s+/g, ' ') }
  }

  test('shows what is live in each of several, and what the next one does not have yet', async () => {
    const ada = await signUpPoster(service)
    await ada.announce({ message: 'One', url, environment: 'production', version: 'v1' })
    await ada.announce({ message: 'No environment', url })
    expect((await boardOf(ada)).text).toBe('')
    await ada.announce({ message: 'One', url, environment: 'staging', version: 'v1' })
    const announced = await ada.announce({
      message: 'Two <b>',
      url,
      environment: 'Staging',
      commit: 'a89852ac0',
    })
    const { id } = (await announced.json()) as { id: number }
    await ada.announce({ message: 'Three', url, environment: 'dev', version: 'v3' })
    const { page, text } = await boardOf(ada)
    expect(text).toBe(
      'Environmentsdevv3Threejust now1 ahead of StagingThreev3just nowStaginga89852aTwo <b>just now1 ahead of productionTwo <b>just nowproductionv1Onejust now',
    )
    expect(hrefsOf(page)).toContain(`/${ada.username}/github.com/ada/engine?env=staging`)
    expect(hrefsOf(page)).toContain(`/${ada.username}/${id}`)
    expect((await boardOf(other)).text).toBe('')
  })

  test('marks the days of rollbacks in the year, and a profile does, too', async () => {
    const ada = await signUpPoster(service)
    const year = async (path: string) => await (await service.fetch(`/${ada.username}${path}`)).text()
    const paths = ['', '/github.com/ada/engine?year=list'] as const
    await passMidnight(30_000)
    for (const version of ['v1', 'v2'])
      await ada.announced({ message: 'One', url, environment: 'production', version })
    for (const path of paths) {
      const page = await year(path)
      expect(page).not.toContain('data-rollbacks')
      expect(textOf(page, '#how-counted')).not.toContain('rollbacks')
    }
    await ada.announced({ message: 'One', url, environment: 'production', version: 'v1' })
    const today = utcDayOf(new Date())
    for (const path of paths) {
      const page = await year(path)
      expect(page).toContain(`data-rollbacks="${today}:1"`)
      expect(page).toContain('<g class="rollbacks"><path class="edge" d="M679.5 ')
      expect(textOf(page, '.legend')).toStartWith('A rollback')
    }
    expect(textOf(await year(paths[1]), '.by-month dd')).toMatch(/^\d+\w\w: 3 with 1 rollback$/)
    expect(textOf(await year('?year=list'), '.by-month dd')).toEndWith(' with 1 rollback')
  })

  test('links to where each runs', async () => {
    const ada = await signUpPoster(service)
    const runsAt = 'https://engine.example.com/?a=1&b=<b>'
    await ada.announce({ message: 'One', url, environment: 'production', environment_url: runsAt })
    await ada.announce({ message: 'Two', url, environment: 'staging' })
    const { page, text } = await boardOf(ada)
    expect(text).toContain('Onejust nowOpen production of engine')
    expect(text).not.toContain('Open staging')
    expect(hrefsOf(page)).toContain(runsAt)
  })

  test.each([
    ['23 hours', '2 ahead of production', undefined],
    ['6 days', '2 ahead of production for 6 days', 'due'],
    ['7 days', '2 ahead of production for 7 days', 'overdue'],
  ])('says how long the oldest one that is ahead has waited: %s', async (waited, words, look) => {
    const ada = await signUpPoster(service)
    const to = (environment: string, version: string) =>
      ada.announced({ message: version, url, environment, version })
    await to('production', 'v1')
    await to('staging', 'v1')
    const oldest = await to('staging', 'v2')
    await to('staging', 'v3')
    await query(
      service.db,
      sql`update deployments set deployed_at = now() - ${waited}::interval where id = ${oldest}`,
    )
    const { page } = await boardOf(ada)
    expect(textOf(page, '.ahead summary')).toBe(words)
    const [summary] = elementsOf(page).filter(({ name }) => name === 'summary')
    expect(summary?.attributes.class).toBe(look)
    const where = await (await get(`/${ada.username}/-/environments`)).text()
    expect(textOf(where, '.ahead-of')).toBe(words)
  })

  test('compares on the forge what the next one does not have yet', async () => {
    const ada = await signUpPoster(service)
    for (const environment of ['staging', 'production'])
      await ada.announce({ message: 'x', url, environment, version: 'v1' })
    expect((await boardOf(ada)).page).not.toContain('/compare/')
    await ada.announce({ message: 'x', url, environment: 'staging', version: 'v2' })
    const { page, text } = await boardOf(ada)
    expect(text).toContain('Compare on github.com')
    expect(hrefsOf(page)).toContain('https://github.com/ada/engine/compare/v1...v2')
  })

  /** The ids of those that the list of what is ahead links to. */
  const listedOn = (page: string) => {
    const [, list = ''] = /<ul id="ahead-in-staging">(.*?)<\/ul>/s.exec(page) ?? []
    return hrefsOf(list).map((href) => Number(href.split('/').at(-1)))
  }

  test('lists up to fifty that are ahead, each with a link to its page', async () => {
    const ada = await signUpPoster(service)
    await ada.announce({ message: 'x', url, environment: 'production' })
    const ids: number[] = []
    for (let n = 0; n < 51; n += 1) {
      ids.push(await ada.announced({ message: `No. ${n} <b>`, url, environment: 'staging' }))
    }
    const { page } = await boardOf(ada)
    expect(textOf(page, '.ahead summary')).toBe('50+ ahead of production')
    expect(textOf(page, '.ahead .hint')).toBe('and older ones')
    expect(listedOn(page)).toEqual(ids.slice(1).toReversed())
    await ada.send(`/${ada.username}/${ids[0]}/delete`, {})
    const fifty = (await boardOf(ada)).page
    expect(textOf(fifty, '.ahead summary')).toBe('50 ahead of production')
    expect(textOf(fifty, '.ahead .hint')).toBe('')
    expect(listedOn(fifty)).toEqual(ids.slice(1).toReversed())
  })

  test('folds all but eight, and leaves out what was deployed below the target', async () => {
    const ada = await signUpPoster(service)
    await ada.announce({ message: 'Below', url: 'https://github.com/ada/other', environment: 'elsewhere' })
    for (const environment of ['production', ...'abcdefgh'])
      await ada.announce({ message: 'x', url, environment })
    const { page, text } = await boardOf(ada)
    expect(text).toContain('1 more environment')
    expect(textOf(page, '#environments > .fold a.environment')).toBe('a')
    const host = await (await get(`/${ada.username}/github.com`)).text()
    expect(textOf(host, '#environments')).toBe('')
  })
})
