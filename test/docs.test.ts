import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { capabilities } from '../src/capabilities.ts'
import { partOfReference } from '../src/commands/reference.ts'
import { otherAccess } from '../src/data/account/access.ts'
import { errorEvents, events } from '../src/log/events.ts'
import { variables } from '../src/settings.ts'
import { tables } from '../src/table-uses.ts'
import { describedMetrics, describedVariables, variablesRead } from './support/configuration.ts'

const root = join(import.meta.dir, '..')
const documents = [...filesOf('*.md'), 'ci/README.md', 'test/README.md', ...filesOf('docs/*.md')]
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

/** How many lines a document may have: what is told twice, or is history, has to go before anything is added. */
const lines: Readonly<Record<string, number>> = {
  'README.md': 100,
  'CONTRIBUTING.md': 60,
  'SECURITY.md': 114,
  'ci/README.md': 90,
  'docs/quick-start.md': 95,
  'docs/when-it-breaks.md': 60,
  'docs/operations.md': 488,
  'docs/scaling.md': 262,
  'docs/decisions.md': 650,
  'docs/architecture.md': 318,
  'docs/adding.md': 88,
  'docs/figures.md': 175,
  'docs/laboratory.md': 306,
}

test.each(Object.entries(lines))('%s has at most %d lines', async (file, most) => {
  expect((await read(file)).trimEnd().split('\n').length).toBeLessThanOrEqual(most)
})

test("the documents list what an operator's link may end as its page does", async () => {
  for (const file of ['docs/operations.md', 'SECURITY.md']) {
    expect((await read(file)).replace(/\s+/g, ' ')).toContain(otherAccess(tables))
  }
})

test('no paragraph of the decisions has more than three sentences', async () => {
  const paragraphs = paragraphsOf(await read('docs/decisions.md'))
  expect(paragraphs.length).toBeGreaterThan(100)
  expect(paragraphs.filter((paragraph) => sentencesIn(paragraph) > 3)).toEqual([])
})

test('the decisions stay below 7,200 words', async () => {
  const words = (await read('docs/decisions.md')).split(/\s+/).filter((word) => /\p{L}/u.test(word))
  expect(words.length).toBeLessThan(7_200)
})

test('measured numbers stand in the figures and the laboratory only', async () => {
  const others = documents.filter((file) => !/figures|laboratory/.test(file))
  const measured = await Promise.all(
    others.map(async (file) =>
      (withoutCode(await read(file)).match(measurement) ?? []).map((it) => [file, it]),
    ),
  )
  expect(measured.flat()).toEqual([])
})

/** Times, memory and rates as a benchmark prints them, and comparisons by a factor. */
const measurement = /\d µs|\d MB\b|\d\/s\b|\d req\/s|\d times\b/g

test('the reference is what the program prints: npm start -- help reference', async () => {
  const reference = await read('docs/reference.md')
  expect(reference).toBe(`${partOfReference(capabilities, 'reference')}\n`)
  expect(reference).not.toContain('undefined')
})

test('the program reads every setting of the reference, and no other', () => {
  const described = [...Object.keys(variables), ...describedVariables]
  expect([...variablesRead()].toSorted()).toEqual(described.toSorted())
})

test('the page for the night answers every error of the log, and names no line that does not exist', async () => {
  const answered = ((await read('docs/when-it-breaks.md')).match(/^\| `[a-z_`, ]+` \|/gm) ?? []).flatMap(
    (row) => row.match(/[a-z_]+/g) ?? [],
  )
  expect(errorEvents.filter((event) => !answered.includes(event))).toEqual([])
  expect(answered.filter((event) => !(event in events))).toEqual([])
})

test('alerts ask only for metrics that exist', async () => {
  const names = (await read('deploy/alerts.yaml')).matchAll(
    /((?:http|shipfeed|process)_[a-z_]+?)(?:_bucket|_count)?\b/g,
  )
  const asked = new Set([...names].map(([, name = '']) => name))
  const metrics = describedMetrics.map(([name]) => name)
  expect(asked.size).toBeGreaterThan(10)
  expect([...asked].filter((name) => !metrics.includes(name))).toEqual([])
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
  return [...withoutCode(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\d\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The paragraphs, items of lists and rows of tables of a document, each on one line. */
function paragraphsOf(markdown: string): string[] {
  return withoutCode(markdown)
    .split(/\n\s*\n|\n(?=- |\d+\. |\||#)/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
}

/** The number of sentences. Neither a bold title ("**Text.**") nor the number of an item counts as one. */
function sentencesIn(paragraph: string): number {
  const text = paragraph.replace(/^\*\*[^*]+\.\*\* /, '').replace(/^\d+\. /, '')
  return text.match(/[.!?][)"*]*(?= [^a-z]|$)/g)?.length ?? 0
}

function withoutCode(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, '')
}

function filesOf(pattern: string): string[] {
  return [...new Bun.Glob(pattern).scanSync(root)].filter((file) => !file.includes('node_modules'))
}

async function read(file: string): Promise<string> {
  return await Bun.file(join(root, file)).text()
}
