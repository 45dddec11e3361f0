import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { query } from '../../support/database.ts'
import { textOf } from '../../support/markup.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

/*
 * The sources are in github.com/grafana/grafana-infinity-datasource, as of June 2026: docs/sources/annotations.md
 * names the columns of an annotation, docs/sources/query/macros.md the output of the macros of time, which is that of
 * Grafana's own `${__from:date:iso}` (grafana.com/docs/grafana/latest/visualizations/dashboards/variables/global-variables).
 */
const documented = {
  time: 'required',
  timeEnd: 'optional',
  text: 'required',
  title: 'optional',
  tags: 'optional',
}
const outputs: Readonly<Record<string, string>> = {
  '${__timeFrom:date:iso}': '2020-07-13T20:19:09.254Z',
  '${__timeTo:date:iso}': '2020-07-13T21:19:09.254Z',
}

const service = await useService()
const ada = await signUpPoster(service)

/** The columns of the recipe: the name that Grafana knows, and the field of the list. */
function columnsOf(docs: string): readonly (readonly [column: string, selector: string])[] {
  const [recipe = ''] = docs.split('id="grafana"').slice(1)
  const rows = recipe.matchAll(/<dt>(\w+)<\/dt><dd>[^<]*<code>(\w+)<\/code>/g)
  return [...rows].map(([, column = '', selector = '']) => [column, selector])
}

test('the recipe for annotations in Grafana gives the documented columns of what was deployed in the time', async () => {
  const deployed = {
    message: 'fix: cache',
    url: 'https://github.com/ada/engine',
    version: 'v2',
    environment: 'qa',
  }
  const times = ['20:19:09.253Z', '20:19:09.254Z', '21:19:09.253Z', '21:19:09.254Z']
  for (const [n, time] of times.entries()) {
    const id = await ada.announced({ ...deployed, version: `v${n}` })
    const at = `2020-07-13T${time}`
    await query(service.db, sql`update deployments set deployed_at = ${at}::timestamptz where id = ${id}`)
  }
  const docs = await (await service.fetch('/docs', { headers: { cookie: ada.cookie } })).text()
  const address = textOf(docs, '#grafana-url').replace(/\$\{[^}]*\}/g, (macro) => outputs[macro] ?? macro)
  expect(address).not.toContain('$')
  const response = await service.fetch(address.replace('http://shipfeed.test', ''))
  expect(response.status).toBe(200)
  const { deployments } = (await response.json()) as {
    readonly deployments: readonly Readonly<Record<string, unknown>>[]
  }
  const columns = columnsOf(docs)
  const names = columns.map(([name]) => name)
  expect(names.filter((name) => !(name in documented))).toEqual([])
  expect(names).toEqual(expect.arrayContaining(['time', 'text']))
  const rows = deployments.map((one) => Object.fromEntries(columns.map(([name, from]) => [name, one[from]])))
  const annotation = { text: 'fix: cache', tags: 'qa' }
  // The newest first, from the beginning of the time and before its end.
  expect(rows).toEqual([
    { ...annotation, title: 'v2', time: '2020-07-13T21:19:09Z' },
    { ...annotation, title: 'v1', time: '2020-07-13T20:19:09Z' },
  ])
  for (const { time } of rows) expect(new Date(String(time)).getTime()).toBeGreaterThan(0)
})
