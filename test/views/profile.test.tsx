import { describe, expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import { anyTime } from '../../src/domain/feed/time-range.ts'
import type { Overview } from '../../src/domain/statistics/overview.ts'
import { utcDayOf } from '../../src/domain/time.ts'
import { ProfilePage } from '../../src/views/profile/profile-page.tsx'
import { numbersOf, Statistics } from '../../src/views/profile/statistics.tsx'
import { HeatMap } from '../../src/views/profile/year-heat-map.tsx'
import { elementsOf, textOf } from '../support/markup.ts'
import { ada, deployment, grace, now, overview, site } from './samples.ts'

const today = utcDayOf(now)

const profile = {
  site,
  viewer: null,
  now,
  user: ada,
  target: null,
  since: new Date('2025-03-31T23:59:59Z'),
  by: {},
  time: anyTime,
  environments: [],
  withdrawn: false,
  year: null,
  on: null,
  deployments: [deployment()],
  older: null,
  newer: null,
}
const newest = { ...profile, overview, seen: 412 }
const older = { ...profile, overview: null }

test('a profile shows its user and since when', () => {
  const page = <ProfilePage {...newest} />
  expect(textOf(page, 'h1')).toBe('Ada Lovelace')
  expect(textOf(page, '.who .hint')).toBe('@ada · first deployment in March 2026')
  const olderPage = <ProfilePage {...older} />
  expect(textOf(olderPage, '.who .hint')).toBe('@ada · joined March 2025')
})

test('the badge is shown with its age in the header, and as it can be copied', () => {
  const pictures = elementsOf(<ProfilePage {...newest} />).filter(({ name }) => name === 'img')
  const badge = '/badge/ada.svg?show=age'
  expect(pictures.map(({ attributes }) => attributes.src)).toEqual([badge, badge, badge])
})

test('the snippets are an image, and an image that links to the profile, under the public address', () => {
  const code = textOf(<ProfilePage {...newest} />, 'pre code')
  const image = 'https://ship.example/badge/ada.svg?show=age'
  expect(code).toContain(`[![Last deployment](${image})](https://ship.example/ada)`)
  expect(code).toContain(`<img src="${image}" alt="Last deployment" height="20">`)
})

test.each([
  [
    'another user’s',
    { ...newest, viewer: grace },
    'A deployment appears here as soon as a pipeline announces it.',
  ],
  ['the own', { ...newest, viewer: ada }, 'Generate a token in your settings'],
  ['a filtered', { ...newest, viewer: ada, by: { category: 'feature' as const } }, 'Show all deployments'],
  ['a day’s', { ...newest, viewer: ada, on: 1 }, 'Show all days'],
])('%s empty profile says what to do next', (_, props, advice) => {
  expect(textOf(<ProfilePage {...props} deployments={[]} />, '.empty p')).toContain(advice)
})

test('one’s own empty profile has a command for the first deployment, and no empty panels', () => {
  const nothing = { days: [], firstDay: null, firstAnnouncedDay: null, recent: [], targets: [], now }
  const page = <ProfilePage {...newest} viewer={ada} overview={nothing} deployments={[]} />
  expect(textOf(page, '#first-deployment')).toStartWith('curl https://ship.example/api ')
  expect(textOf(page, '#targets, #year')).toBe('')
  expect(textOf(page, '#embed h2')).toBe('Badge')
})

describe('The numbers', () => {
  test('are the deployments of the days so far, the rate, the median gap and the streak', () => {
    expect(statistics(overview)).toEqual([
      ['deployments in 2 days', '3'],
      ['deployments a week', 'too early to tell'],
      ['median gap', '9 hours'],
      ['current streak', '2 days'],
    ])
  })

  test.each([
    [[29], 'deployments in 30 days', '5'],
    [[29, 30], 'deployments in 30 days', '5'],
    [[28], 'deployments in 29 days', '5'],
    [[0], 'deployments today', '5'],
  ])('of deployments %p days ago count the last 30 days, including today', (ago, label, count) => {
    const days = ago.map((ago) => ({ day: today - ago, deployments: 5 })).toReversed()
    expect(statistics({ ...overview, days, recent: [now, now] })[0]).toEqual([label, count])
  })

  test('of a first deployment say that it is the first', () => {
    const first = { ...overview, days: [{ day: today, deployments: 1 }], recent: [now] }
    expect(statistics(first).slice(0, 2)).toEqual([
      ['deployment so far', '1'],
      ['deployments a week', 'too early to tell'],
    ])
  })

  test.each([
    [27, 'deployments a week', 'too early to tell'],
    [28, 'median of 4 weeks', '1 a week'],
    [84, 'median of 12 weeks', '1 a week'],
    [200, 'median of 12 weeks', '1 a week'],
  ])('after %d days show the rate as %s: %s', (history, label, rate) => {
    const days = Array.from({ length: Math.ceil(history / 7) }, (_, n) => today - history + 1 + 7 * n)
    const facts = { days: days.map((day) => ({ day, deployments: 1 })), recent: [now, now] }
    expect(statistics({ ...overview, ...facts })[1]).toEqual([label, rate])
  })

  test.each([
    ['one deployment', { recent: [now] }, '–'],
    ['two of one minute', { recent: [now, new Date(now.getTime() - 59_999)] }, 'under a minute'],
  ])('of %s have no median gap', (_, facts, gap) => {
    expect(statistics({ ...overview, ...facts })[2]).toEqual(['median gap', gap])
  })

  test('say if they exceed what is read', () => {
    const days = Array.from({ length: 365 }, (_, n) => ({ day: today - 364 + n, deployments: 1 }))
    expect(statistics({ ...overview, days, firstAnnouncedDay: today - 365 })[3]).toEqual([
      'current streak',
      'over a year',
    ])
  })

  test('are shown neither without deployments nor on an older page', () => {
    const none = { days: [], firstDay: null, firstAnnouncedDay: null, recent: [], targets: [], now }
    for (const page of [<ProfilePage {...newest} overview={none} />, <ProfilePage {...older} />]) {
      expect(textOf(page, '.statistics, .year, .by-month')).toBe('')
    }
  })
})

describe('The heat map', () => {
  test('covers 365 days in 53 weeks on any day', () => {
    for (let ahead = 0; ahead < 7; ahead += 1) {
      const all = squares(<HeatMap {...year} today={today + ahead} />, 'class="h0"')
      expect(all).toHaveLength(365)
      expect(new Set(all.map(({ week }) => week)).size).toBe(53)
    }
  })

  test.each([
    [today - 364, 0],
    [today - 363, 1],
    [today, 364],
    [today - 1_000, 0],
  ])('draws the days before the first deployment, day %p, as outlines', (firstDay, before) => {
    const map = <HeatMap {...year} firstDay={firstDay} />
    expect(squares(map, 'id="days-before"')).toHaveLength(before)
    expect(squares(map, 'class="h0"')).toHaveLength(365 - before)
  })

  test('rings the chosen day, and marks it in the list of days', () => {
    const page = <ProfilePage {...newest} on={today - 1} by={{ category: 'bug_fix' }} year="list" />
    const ring = elementsOf(page).find(({ attributes }) => attributes.class === 'cell chosen')
    expect(ring?.attributes).toMatchObject({ x: String(52 * 13), y: String(2 * 13) })
    expect(textOf(page, '.by-month [aria-current=date]')).toBe('11th: 2')
    expect(textOf(page, '.list-head h2')).toBe('Wednesday 11 March (UTC)')
    expect(textOf(page, '.total')).toBe('1 deployment')
    const partly = <ProfilePage {...newest} on={today - 1} older={1} />
    expect(textOf(partly, '.total')).toBe('')
    const links = elementsOf(page).flatMap(({ attributes }) => attributes.href ?? [])
    expect(links).toContain('?category=bug_fix&on=2026-03-11#list')
  })

  test.each([
    [363, '3 deployments since 14 March 2025'],
    [364, '3 deployments'],
  ])('that begins %d days ago says “%s”', (days, total) => {
    const page = <ProfilePage {...newest} overview={{ ...overview, firstDay: today - days }} />
    expect(textOf(page, '#year > .hint:not(.legend)')).toBe(total)
  })

  test('shows the heat of each day in its place: a week from left to right, a weekday from Monday on', () => {
    // The 12th of March 2026 is a Thursday.
    const page = <ProfilePage {...newest} />
    expect(squares(page, 'class="h4"')).toEqual([{ week: 52, weekday: 2 }])
    expect(squares(page, 'class="h2"')).toEqual([{ week: 52, weekday: 3 }])
    expect(textOf(page, '#year > .hint:not(.legend)')).toBe('3 deployments since 11 March')
  })

  test('contains the number of each day for the script, the last of them today', () => {
    const [map] = elementsOf(<ProfilePage {...newest} />).filter(
      ({ attributes }) => 'data-counts' in attributes,
    )
    expect(map?.attributes['data-today']).toBe(String(today))
    expect(map?.attributes['data-counts']?.split(',').map(Number)).toEqual([...Array(363).fill(0), 2, 1])
  })

  test('links to the list of its days', () => {
    const page = <ProfilePage {...newest} on={today - 1} by={{ environment: 'staging' }} />
    expect(textOf(page, '.by-month')).toBe('')
    expect(textOf(page, '.as-list')).toBe('As a list')
    const links = elementsOf(page).flatMap(({ attributes }) => attributes.href ?? [])
    expect(links).toContain('?env=staging&on=2026-03-11&year=list#year')
  })

  test('is also a list by month, the latest first', () => {
    const days = [
      { day: today - 20, deployments: 1200 },
      { day: today - 11, deployments: 3 },
      { day: today, deployments: 1 },
    ]
    const page = <ProfilePage {...newest} overview={{ ...overview, days }} year="list" />
    expect(textOf(page, '.by-month dt')).toBe('March 20264 deploymentsFebruary 20261,200 deployments')
    expect(textOf(page, '.by-month dd')).toBe('1st: 3, 12th: 120th: 1,200')
  })
})

test('a profile with a full list and a year of deployments weighs 37 KB at most, uncompressed', () => {
  const days = Array.from({ length: 110 }, (_, n) => ({ day: today - 364 + 3 * n, deployments: 1 + (n % 5) }))
  const page = (
    <ProfilePage
      {...newest}
      overview={{ ...overview, days, firstDay: today - 364 }}
      deployments={Array.from({ length: 25 }, (_, n) => deployment({ id: 412 - n }))}
    />
  )
  expect(squares(page, 'class="h4"').length + squares(page, 'class="h1"').length).toBeGreaterThan(40)
  expect(String(page).length).toBeLessThanOrEqual(37_000)
})

describe('The frequency', () => {
  const today = utcDayOf(now)
  const daysOf = (count: number, step: number, deployments: number) =>
    Array.from({ length: count }, (_, n) => ({ day: today - n * step, deployments })).toReversed()

  test.each([
    ['of some days is not told', { days: daysOf(6, 1, 7) }, 'deployments a weekA rate needs 28 days'],
    [
      'is what was measured, with DORA’s word where it fits',
      { days: daysOf(60, 7, 3) },
      '3 a week is between once a day and once a week, which DORA, a research programme on software delivery, calls “Daily”.',
    ],
    [
      'between two of DORA’s words has none',
      { days: daysOf(60, 7, 8) },
      'median of 12 weeksThe median, so one busy day hardly changes it',
    ],
    [
      'of a user who stopped is none',
      { days: [{ day: today - 200, deployments: 9 }] },
      'none in six months is less than once every six months, which DORA, a research programme on software delivery, calls “Yearly”.',
    ],
  ])('%s', (_, facts, words) => {
    const page = <ProfilePage {...newest} overview={{ ...overview, ...facts }} />
    const note = textOf(page, '#how-counted').replaceAll(/\s+/g, ' ').trim()
    expect(note).toContain(words)
    expect(note.includes('DORA')).toBe(words.includes('DORA'))
  })

  test('of a single deployment needs no note', () => {
    expect(
      textOf(<ProfilePage {...newest} overview={{ ...overview, recent: [now] }} />, '#how-counted'),
    ).toBe('')
  })
})

describe('A target', () => {
  test('has its freshness and age, and is a link to its page', () => {
    const page = <ProfilePage {...newest} by={{ category: 'bug_fix' }} />
    const dots = elementsOf(page).filter(({ attributes }) => attributes.class?.startsWith('dot '))
    expect(dots.map(({ attributes }) => attributes['aria-label'])).toEqual(['Fresh', 'Active'])
    expect(textOf(page, '.targets a')).toBe('ada/engineapp.example.com')
    expect(textOf(page, '.targets time')).toBe('2 min ago1 d ago')
    const links = elementsOf(page).flatMap(({ attributes }) => attributes.href ?? [])
    expect(links).toContain('/ada/github.com/ada/engine')
  })

  test('is folded after the sixth', () => {
    const targets = Array.from({ length: 8 }, (_, n) => ({ target: `t${n}.example`, deployedAt: now }))
    const page = <ProfilePage {...newest} overview={{ ...overview, targets }} />
    expect(textOf(page, '#targets summary')).toBe('All 8')
    expect(textOf(page, '#targets details a')).toBe('t6.examplet7.example')
    expect(textOf(page, '#targets details[open] a')).toBe('')
  })

  test.each([
    [3, ''],
    [4, 'All 4'],
  ])('of %d is folded for phones, which show three: “%s”', (count, summary) => {
    const targets = Array.from({ length: count }, (_, n) => ({ target: `t${n}.example`, deployedAt: now }))
    const page = <ProfilePage {...newest} overview={{ ...overview, targets }} />
    expect(textOf(page, '#targets summary')).toBe(summary)
    expect(textOf(page, '#targets details a')).toBe('')
  })
})

function statistics(facts: Overview): [string, string][] {
  const markup = String(<Statistics facts={numbersOf(facts).facts} />)
  return [...markup.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, label = '', value = '']) => [
    label,
    value,
  ])
}

const year = { days: [], firstDay: 0, today, on: null, query: '?on=', label: '' }

/** The places of the days of a level, or of those before the first deployment. */
function squares(markup: unknown, which: `class="h${number}"` | 'id="days-before"') {
  const [, path = ''] = new RegExp(`<path ${which} d="([^"]*)"`).exec(String(markup)) ?? []
  const places: { week: number; weekday: number }[] = []
  for (const [, x, y] of path.matchAll(/(?:M(\d+) (\d+)|m0 13)h7v7h-7z/g)) {
    const { week, weekday } = places.at(-1) ?? { week: 0, weekday: 0 }
    places.push(
      x === undefined ? { week, weekday: weekday + 1 } : { week: Number(x) / 13, weekday: Number(y) / 13 },
    )
  }
  return places
}
