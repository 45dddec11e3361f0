import { expect } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { openLive, outline, untilReads } from '../support/browser/live-page.ts'
import type { Visitor } from '../support/browser/visitor.ts'
import { browserTest } from '../support/browser/visitor.ts'
import { emptyDatabase, query } from '../support/database.ts'
import type { Poster } from '../support/people.ts'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()
const hourMs = 60 * 60 * 1000
/**
 * Every six hours: at any time of day, two zones that are eight hours apart divide these into days differently.
 */
const ages = [0, 6, 12, 18, 24, 30, 36, 42, 48]

for (const [timezoneId, place] of [
  ['America/Los_Angeles', 'Los Angeles'],
  ['Asia/Kolkata', 'Kolkata'],
  ['Pacific/Auckland', 'Auckland'],
] as const) {
  browserTest(
    `days and exact times are in the zone of a reader in ${timezoneId}`,
    async (visitor) => {
      const { page, instants } = await openAged(visitor)
      const days = instants.map((instant) => dayIn(timezoneId, instant))
      const today = dayIn(timezoneId, new Date())
      const yesterday = dayBefore(today)
      const headingOf = (day: string) =>
        day === today
          ? '# Today'
          : day === yesterday
            ? '# Yesterday'
            : `# ${headingIn(timezoneId, instants[days.indexOf(day)] ?? new Date())}`
      const expected = days.flatMap((day, n) => [
        ...(day === days[n - 1] ? [] : [headingOf(day)]),
        `${ages[n]}`,
      ])
      expect(await outline(page)).toEqual(expected)

      const last = page.locator('.entry .age').last()
      await last.hover()
      const at = instants.at(-1) ?? new Date()
      const clock = at.toLocaleTimeString('en-GB', { timeStyle: 'short', timeZone: timezoneId })
      expect(await last.getAttribute('title')).toStartWith(`${days.at(-1)}, ${clock} (${place} time) · `)
      expect(await last.getAttribute('title')).toEndWith(' UTC')

      expect(await page.locator('#zone').textContent()).toBe(
        `Times are in your time zone, ${(await zoneOf(page)).replace('Calcutta', 'Kolkata')}`,
      )
      await page.locator('.entry .subject a').last().click()
      await page.waitForSelector('.deployment-page')
      await untilReads(() => page.locator('.instant').textContent(), `${days.at(-1)}, ${clock}`)
    },
    { timezoneId },
  )
}

browserTest(
  'without scripts, days and exact times are in UTC, as the page says',
  async (visitor) => {
    const { page } = await openAged(visitor, (url) => visitor.open(url))
    const headings = (await outline(page)).filter((line) => line.startsWith('# '))
    expect(headings[0]).toBe(`# ${headingIn('UTC', new Date())} (UTC)`)
    expect(await page.locator('#zone').textContent()).toBe('Times are in UTC')
    await page.locator('.entry .subject a').first().click()
    expect(await page.locator('.instant').textContent()).toEndWith(' UTC')
  },
  { javaScriptEnabled: false, timezoneId: 'Pacific/Auckland' },
)

browserTest(
  'the list of a day is in UTC, as its page says, in whatever zone the reader is',
  async (visitor) => {
    await emptyDatabase(service.db)
    const ada = await signUpPoster(service)
    const at = await announceAged(ada, 0)
    const page = await visitor.open(`${service.url}/${ada.username}?on=${at.toISOString().slice(0, 10)}`)
    expect(await page.locator('.entry .clock').textContent()).toBe(at.toISOString().slice(11, 16))
    expect(await page.locator('#zone').textContent()).toBe('Times on this page are UTC')
  },
  { timezoneId: 'Pacific/Auckland' },
)

/** A feed of deployments of these ages; the message of each is its age. */
async function openAged(visitor: Visitor, open = (url: string) => openLive(visitor, url)) {
  await emptyDatabase(service.db)
  const ada = await signUpPoster(service)
  const instants = new Map<number, Date>()
  for (const hours of ages.toReversed()) instants.set(hours, await announceAged(ada, hours))
  const page: Page = await open(service.url)
  return { page, instants: ages.map((hours) => instants.get(hours) ?? new Date()) }
}

async function announceAged(poster: Poster, hours: number): Promise<Date> {
  const id = await poster.announced({ message: `${hours}` })
  const [row] = await query<{ ms: number }>(
    service.db,
    sql`
      update deployments set deployed_at = deployed_at - make_interval(hours => ${hours}::int) where id = ${id}
      returning (extract(epoch from deployed_at) * 1000)::float8 as ms`,
  )
  return new Date(row?.ms ?? 0)
}

/** "12 March 2026", by the calendar of a zone. */
function dayIn(timeZone: string, instant: Date): string {
  return instant.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone })
}

/** The day before a day that is written like that. Days are not 24 hours long where summer time begins or ends. */
function dayBefore(day: string): string {
  return dayIn('UTC', new Date(Date.parse(`${day} UTC`) - 24 * hourMs))
}

/** "Thursday 12 March", by the calendar of a zone, with its year if that is not the present one. */
function headingIn(timeZone: string, instant: Date): string {
  const year = (of: Date) => of.toLocaleDateString('en-GB', { year: 'numeric', timeZone })
  const weekday = instant.toLocaleDateString('en-GB', { weekday: 'long', timeZone })
  const day = dayIn(timeZone, instant)
  return `${weekday} ${year(instant) === year(new Date()) ? day.replace(/ \d+$/, '') : day}`
}

async function zoneOf(page: Page): Promise<string> {
  return await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone')
}

browserTest(
  'the age and the date of a deployment share a line, whatever stands before them',
  async (visitor) => {
    const ada = await signUpPoster(service)
    const page = await visitor.open(service.url)
    for (const length of [1, 8, 12, 16, 20, 24]) {
      const project = 'x'.repeat(length)
      const url = `https://github.com/ada/${project}`
      const id = await ada.announced({ message: 'fix: x', url, environment: 'production', version: 'v2.4.0' })
      await page.goto(`${service.url}/${ada.username}/${id}`)
      const [age, date] = [
        await page.locator('.when > .age').boundingBox(),
        await page.locator('.instant').boundingBox(),
      ]
      expect([project, Math.round(age?.y ?? 0)]).toEqual([project, Math.round(date?.y ?? 1)])
    }
    const font = `getComputedStyle(document.querySelector('.who-and-when .version')).fontFamily`
    expect(await page.evaluate<string>(font)).toContain('mono')
  },
)
