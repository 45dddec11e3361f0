import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { eventLevels } from '../src/log/events.ts'
import { metricsOf } from '../src/metering.ts'

const root = join(import.meta.dir, '..')
const documents = ['README.md', 'SECURITY.md', 'CHANGELOG.md', ...filesOf('docs/*.md')]
const sources = [...documents, ...filesOf('{src,test,static}/**/*.{ts,tsx,js,css}')]

test('every section that is cited is there', async () => {
  const cited = await Promise.all(
    sources.map(async (file) => citedIn(await read(file)).map((to) => [file, to])),
  )
  expect(cited.flat().length).toBeGreaterThan(20)
  expect(await missing(cited.flat())).toEqual([])
})

test('every relative link and picture of a document leads somewhere', async () => {
  const linked = await Promise.all(documents.map(async (file) => linksIn(file, await read(file))))
  expect(linked.flat().length).toBeGreaterThan(20)
  expect(await missing(linked.flat())).toEqual([])
})

test('the README has at most 150 lines', async () => {
  expect((await read('README.md')).trimEnd().split('\n').length).toBeLessThanOrEqual(150)
})

test('every setting has a row in the decisions, and nothing else has; the README tells some of them', async () => {
  const config = (await read('src/config.ts')) + (await read('src/database-config.ts'))
  const secrets = config.match(/(?<=\bpostgresUrl\(env, ')[A-Z_]+/g) ?? []
  const named = [
    ...(config.match(/(?<=env\.|\(env, ')[A-Z][A-Z_]+/g) ?? []),
    ...secrets.map((name) => `${name}_FILE`),
  ]
  const settings = [...new Set(named)].sort().filter((name) => name !== 'NODE_ENV')
  expect(settings.length).toBeGreaterThan(10)
  expect((await settingsIn('docs/decisions.md')).sort()).toEqual(settings)
  const told = await settingsIn('README.md')
  expect(told.length).toBeGreaterThan(10)
  expect(told.filter((name) => !settings.includes(name))).toEqual([])
})

async function settingsIn(file: string): Promise<string[]> {
  const rows = (await read(file)).match(/^\| `[A-Z_`, ]+` \|/gm) ?? []
  return rows.flatMap((row) => row.match(/[A-Z_]+/g) ?? [])
}

test('every line of the log is in the table of them, with its level', async () => {
  const rows = (await read('docs/operations.md')).matchAll(
    /^\| (`[a-z_`, ]+`) \| (error|warn|info|debug) \|/gm,
  )
  const told = [...rows].flatMap(([, events = '', level = '']) =>
    (events.match(/[a-z_]+/g) ?? []).map((event) => [event, level]),
  )
  expect(Object.fromEntries(told)).toEqual(eventLevels)
})

test('every metric and every alert is in its table', async () => {
  const operations = await read('docs/operations.md')
  const metrics = metricsOf(readConfig({ METRICS_PORT: '0' }))
  const names = [...((await metrics?.text()) ?? '').matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
  const alerts = [...(await read('deploy/alerts.yaml')).matchAll(/alert: (\w+)/g)].map(
    ([, name = '']) => name,
  )
  expect([names.length > 10, alerts.length > 10]).toEqual([true, true])
  const isTold = (name: string) =>
    operations.includes(name.startsWith('process_') ? '`process_*`' : `\`${name}`)
  expect([...names, ...alerts].filter((name) => !isTold(name))).toEqual([])
})

const promtool = Bun.which('promtool')

test.skipIf(promtool === null)('Prometheus takes the alerts (needs promtool)', async () => {
  const check = Bun.spawn([promtool ?? '', 'check', 'rules', join(root, 'deploy/alerts.yaml')], {
    stdout: 'ignore',
    stderr: 'pipe',
  })
  expect(await new Response(check.stderr).text()).toBe('')
  expect(await check.exited).toBe(0)
})

/** Links of a file to a path of this repository, which may end in the anchor of a section. */
type Links = readonly (readonly string[])[]

async function missing(links: Links): Promise<Links> {
  const found = await Promise.all(links.map(async ([, to = '']) => await exists(to)))
  return links.filter((_, index) => !found[index])
}

async function exists(to: string): Promise<boolean> {
  const [path = '', anchor] = to.split('#')
  if (!existsSync(join(root, path))) return false
  return anchor === undefined || anchorsIn(await read(path)).includes(anchor)
}

function citedIn(text: string): string[] {
  return text.match(/\bdocs\/[\w-]+\.md(?:#[\w-]+)?/g) ?? []
}

function linksIn(file: string, text: string): Links {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset)="([^"]+)"/g)].map(
    ([, to, image]) => to ?? image ?? '',
  )
  return links
    .filter((to) => !/^https?:/.test(to))
    .map((to) => [file, to.startsWith('#') ? file + to : join(dirname(file), to)])
}

/** The anchors that GitHub gives to the headings of a document. */
function anchorsIn(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '')
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\d\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function filesOf(pattern: string): string[] {
  return [...new Bun.Glob(pattern).scanSync(root)].filter((file) => !file.includes('node_modules'))
}

async function read(file: string): Promise<string> {
  return await Bun.file(join(root, file)).text()
}
