import { join } from 'node:path'
import { endOf, freePort, startProcess, temporaryDirectory } from '../../test/support/process.ts'
import { startServer } from '../processes.ts'

const lighthouse = 'lighthouse@13.5.0'
const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const flags = '--headless --no-sandbox --disable-gpu --disable-background-networking'
const paths = [
  '/',
  '/?q=fix',
  '/ada',
  '/ada/github.com/ada/engine',
  '/ada/-/environments',
  '/environments',
  '/wall',
  '/docs',
  '/sign-in',
]
const windows = {
  phone: ['--screenEmulation.width=360', '--screenEmulation.height=740'],
  desktop: ['--preset=desktop', '--screenEmulation.width=1280', '--screenEmulation.height=800'],
}
type Window = keyof typeof windows
const aim = 100
/** Search results say that they are not for search engines. */
const expected: Readonly<Record<string, string>> = { '/?q=fix': 'is-crawlable' }
/** A page with a list is never idle, because its stream stays open. */
const maxLoadingMs = 20_000

type Score = { readonly title: string; readonly score: number }
type Finding = {
  readonly title: string
  readonly displayValue?: string
  readonly score: number | null
  /** Why it could not be checked; its category then has no score. */
  readonly errorMessage?: string
}
type Report = {
  readonly categories: Readonly<Record<string, Score & { readonly auditRefs: readonly Ref[] }>>
  readonly audits: Readonly<Record<string, Finding>>
}
type Ref = { readonly id: string; readonly weight: number }

await main()

/** `npm run audit`: Lighthouse on the pages that people see first. Exits 1 below 100 in any category. */
async function main(): Promise<void> {
  const directory = temporaryDirectory()
  try {
    process.exitCode = (await audit(directory.path)) ? 0 : 1
  } finally {
    directory.remove()
  }
}

async function audit(directory: string): Promise<boolean> {
  const environment = { DATA_DIR: join(directory, 'data') }
  const seeded = await endOf(startProcess(environment, 'src/main.ts', 'seed'))
  if (seeded.code !== 0) throw new Error(`The seed failed: ${seeded.output}`)
  const port = freePort()
  // The pages name their own address, so it must be the one under which they are audited.
  const baseUrl = `http://127.0.0.1:${port}`
  const command = [process.execPath, 'src/main.ts']
  const server = await startServer(command, { ...environment, PORT: `${port}`, BASE_URL: baseUrl })
  try {
    let isReached = true
    for (const path of [...paths, await permanentPath(server.url)]) {
      for (const window of Object.keys(windows) as Window[]) {
        const report = await examine(server.url + path, path, window, join(directory, 'report.json'))
        print(`${path} ${window}`, report)
        isReached &&= scoresOf(report).every(({ score }) => score >= aim)
      }
    }
    return isReached
  } finally {
    await server.stop()
  }
}

async function permanentPath(url: string): Promise<string> {
  const [, path] = /href="(\/\w+\/\d+)"/.exec(await (await fetch(url)).text()) ?? []
  if (path === undefined) throw new Error('The feed links to no deployment')
  return path
}

async function examine(url: string, path: string, window: Window, file: string): Promise<Report> {
  const words = ['npx', '--yes', lighthouse, url, '--quiet', '--output=json', `--output-path=${file}`]
  words.push(...windows[window])
  words.push(`--max-wait-for-load=${maxLoadingMs}`, `--skip-audits=${expected[path] ?? ''}`)
  const env = { ...process.env, CHROME_PATH: chromium }
  const child = Bun.spawn([...words, `--chrome-flags=${flags}`], {
    env,
    stdout: 'inherit',
    stderr: 'inherit',
  })
  if ((await child.exited) !== 0) throw new Error(`${lighthouse} cannot be fetched, or it failed on ${path}`)
  return (await Bun.file(file).json()) as Report
}

function print(page: string, report: Report): void {
  const scores = scoresOf(report).map(({ title, score }) => `${title} ${score}`)
  console.log(`${page.padEnd(36)} ${scores.join(', ')}`)
  for (const finding of findingsOf(report)) console.log(`${' '.repeat(36)} - ${finding}`)
}

function scoresOf({ categories }: Report): readonly Score[] {
  return Object.values(categories).map(({ title, score }) => ({ title, score: rounded(score) }))
}

/** The audits that cost a category points. */
function findingsOf({ categories, audits }: Report): readonly string[] {
  const missed = Object.values(categories).filter(({ score }) => rounded(score) < aim)
  return missed.flatMap(({ auditRefs }) =>
    auditRefs.flatMap(({ id, weight }) => {
      const { title = id, displayValue = '', score = null, errorMessage } = audits[id] ?? {}
      if (weight > 0 && errorMessage !== undefined) return [`${title}: ${errorMessage}`]
      return weight > 0 && score !== null && score < 1 ? [`${title} ${displayValue}`.trim()] : []
    }),
  )
}

function rounded(score: number): number {
  return Math.round(score * 100)
}
