import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { dismissReportCommand, reportsCommand } from '../../../src/capabilities/abuse-reports/commands.ts'
import { withdrawCommand } from '../../../src/commands/deployments.ts'
import { deleteUser } from '../../../src/data/account/deletion.ts'
import { tables } from '../../../src/table-uses.ts'
import { commandsOn } from '../../commands/run-command.ts'
import { emptyDatabase, query } from '../../support/database.ts'
import { userIdOf } from '../../support/deployments.ts'
import { eventually } from '../../support/eventually.ts'
import { focusedIn } from '../../support/forms.ts'
import { textOf } from '../../support/markup.ts'
import { seriesOf } from '../../support/metrics.ts'
import { behindProxy, fromNewAddress, type Poster, sameOrigin, signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const service = await useService({ REPORTS: 'on', METRICS_PORT: '0', ...behindProxy })
const run = commandsOn(service.db)
let ada: Poster
let id: number
beforeEach(async () => {
  await emptyDatabase(service.db)
  ada = await signUpPoster(service, { username: 'ada' })
  id = await ada.announced({ message: 'Buy my watches' })
})

async function report(fields: Record<string, string>, headers = fromNewAddress()): Promise<Response> {
  const body = new URLSearchParams(fields)
  return await service.fetch(`/ada/${id}/report`, {
    method: 'POST',
    body,
    headers: { ...sameOrigin, ...headers },
  })
}

async function metric(): Promise<number | undefined> {
  return seriesOf(await service.metrics()).get('shipfeed_deployments_reported')
}

async function pageAt(path: string): Promise<string> {
  return await (await service.fetch(path)).text()
}

describe('With REPORTS=on', () => {
  test('the page of a deployment links to the form, except for its poster, and lists do not link to it', async () => {
    const link = `href="/ada/${id}/report"`
    expect(await pageAt(`/ada/${id}`)).toContain(link)
    expect(await (await ada.get(`/ada/${id}`)).text()).not.toContain(link)
    for (const list of ['/', '/ada']) expect(await pageAt(list)).not.toContain('/report')
    expect(textOf(await pageAt(`/ada/${id}/report`), 'main')).toContain('Buy my watches')
  })

  test('a reader reports, and the operator sees it, and dismisses it', async () => {
    expect([await run(reportsCommand), await metric()]).toEqual(['No reports.\n', 0])
    const sent = await report({ reason: 'spam', text: ' Twice a day ' })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/ada/${id}/report?done=sent`])
    expect(textOf(await pageAt(`/ada/${id}/report?done=sent`), '[role=status]')).toContain('Thank you')
    expect((await report({ reason: 'other', text: '' })).status).toBe(303)

    const listed = (await run(reportsCommand)).split('\n')
    expect(listed[0]).toMatch(new RegExp(`^20\\S+Z  spam     ada/${id}  Buy my watches$`))
    expect(listed[1]).toBe('    “Twice a day”')
    expect(listed[2]).toMatch(new RegExp(`^20\\S+Z  other    ada/${id}  Buy my watches$`))
    expect(await metric()).toBe(1)

    expect(await run(dismissReportCommand, `ada/${id}`)).toContain('(2)')
    expect([await run(reportsCommand), await metric()]).toEqual(['No reports.\n', 0])
    expect((await service.fetch(`/ada/${id}`)).status).toBe(200)
    await expect(run(dismissReportCommand, `ada/${id}`)).rejects.toThrow('there is no report')
  })

  test.each<[string, () => Promise<unknown>]>([
    ['the operator withdraws it', () => run(withdrawCommand, `ada/${id}`)],
    ['its poster withdraws it', () => ada.send(`/ada/${id}/delete`, {})],
    [
      'the account is deleted',
      async () => {
        await deleteUser(service.db, tables, await userIdOf(service.db, ada))
        // On a busy machine, its rows go in the background.
        const left = sql`select from reports`
        await eventually('its rows are gone', async () => (await query(service.db, left)).length === 0)
      },
    ],
  ])('the reports of a deployment go away when %s', async (_, act) => {
    await report({ reason: 'abuse', text: '' })
    expect(await metric()).toBe(1)
    await act()
    expect([await run(reportsCommand), await metric()]).toEqual(['No reports.\n', 0])
    expect(await query(service.db, sql`select id from reports`)).toEqual([])
  })

  test('a text has at most 500 characters on one line, and a reason is one of the list', async () => {
    expect((await report({ reason: 'false', text: '🚀'.repeat(500) })).status).toBe(303)
    for (const [fields, reason, focused] of [
      [{ reason: 'false', text: '🚀'.repeat(501) }, 'must be at most 500 characters', ['text']],
      [{ reason: 'false', text: 'a\u001b[31m' }, "can't contain control characters", ['text']],
      [{ reason: 'constructor', text: '' }, 'must be one of the list', ['reason']],
    ] as const) {
      const refused = await report(fields)
      expect(refused.status).toBe(422)
      const page = await refused.text()
      expect(textOf(page, '.reasons')).toContain(reason)
      expect(focusedIn(page)).toEqual([...focused])
    }
    expect((await report({ reason: 'spam' }, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
  })

  test('an address may send five in an hour, and another one goes on', async () => {
    const headers = fromNewAddress()
    const answers: Response[] = []
    for (let n = 0; n < 6; n += 1) answers.push(await report({ reason: 'spam' }, headers))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303, 429])
    expect(Number(answers[5]?.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect((await report({ reason: 'spam' })).status).toBe(303)
  })

  test('twenty reports of a deployment are kept', async () => {
    await query(
      service.db,
      sql`insert into reports (deployment_id, reason) select ${id}, 'spam' from generate_series(1, 19)`,
    )
    for (const kept of [20, 20]) {
      expect((await report({ reason: 'other' })).status).toBe(303)
      expect(await query(service.db, sql`select count(*)::int as kept from reports`)).toEqual([{ kept }])
    }
  })

  test('twenty are kept of forty that arrive together', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => report({ reason: 'spam' })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]))
    expect(await query(service.db, sql`select count(*)::int as kept from reports`)).toEqual([{ kept: 20 }])
  })

  test('there is no form for a deployment that does not exist, and a host may have a path of that name', async () => {
    expect((await service.fetch(`/grace/${id}/report`)).status).toBe(404)
    expect((await service.fetch(`/ada/${id + 1}/report`)).status).toBe(404)
    await ada.announced({ message: 'There', url: 'https://git.example/report' })
    expect(textOf(await pageAt('/ada/git.example/report'), 'title')).toContain('git.example/report')
  })
})

test('without REPORTS there is neither link nor form nor metric', async () => {
  await using off = await startService({ METRICS_PORT: '0' })
  expect(await (await off.fetch(`/ada/${id}`)).text()).not.toContain('/report')
  expect((await off.fetch(`/ada/${id}/report`)).status).toBe(404)
  expect(await off.metrics()).not.toContain('reported')
})
