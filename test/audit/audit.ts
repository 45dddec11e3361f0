import { join } from 'node:path'
import { startServer } from '../bench/processes.ts'
import { endOf, freePort, startProcess, temporaryDirectory } from '../support/process.ts'

const lighthouse = 'lighthouse@12.8.2'
const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const flags = '--headless --no-sandbox --disable-gpu --disable-background-networking'
const paths = ['/', '/ada', '/docs']
const aim = 100

type Score = { readonly title: string; readonly score: number }
type Finding = { readonly title: string; readonly displayValue?: string; readonly score: number | null }
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
  // The pages name their own address: it must be the one that they are looked at.
  const baseUrl = `http://127.0.0.1:${port}`
  const command = [process.execPath, 'src/main.ts']
  const server = await startServer(command, { ...environment, PORT: `${port}`, BASE_URL: baseUrl })
  try {
    let isReached = true
    for (const path of paths) {
      const report = await examine(server.url + path, join(directory, 'report.json'))
      print(path, report)
      isReached &&= scoresOf(report).every(({ score }) => score >= aim)
    }
    return isReached
  } finally {
    await server.stop()
  }
}

async function examine(url: string, file: string): Promise<Report> {
  const words = ['npx', '--yes', lighthouse, url, '--quiet', '--output=json', `--output-path=${file}`]
  const env = { ...process.env, CHROME_PATH: chromium }
  const child = Bun.spawn([...words, `--chrome-flags=${flags}`], {
    env,
    stdout: 'inherit',
    stderr: 'inherit',
  })
  if ((await child.exited) !== 0) throw new Error(`${lighthouse} cannot be fetched, or it failed on ${url}`)
  return (await Bun.file(file).json()) as Report
}

function print(path: string, report: Report): void {
  const scores = scoresOf(report).map(({ title, score }) => `${title} ${score}`)
  console.log(`${path.padEnd(8)} ${scores.join(', ')}`)
  for (const finding of findingsOf(report)) console.log(`         - ${finding}`)
}

function scoresOf({ categories }: Report): readonly Score[] {
  return Object.values(categories).map(({ title, score }) => ({ title, score: rounded(score) }))
}

/** What costs a category its points. */
function findingsOf({ categories, audits }: Report): readonly string[] {
  const missed = Object.values(categories).filter(({ score }) => rounded(score) < aim)
  return missed.flatMap(({ auditRefs }) =>
    auditRefs.flatMap(({ id, weight }) => {
      const { title = id, displayValue = '', score = null } = audits[id] ?? {}
      return weight > 0 && score !== null && score < 1 ? [`${title} ${displayValue}`.trim()] : []
    }),
  )
}

function rounded(score: number): number {
  return Math.round(score * 100)
}
