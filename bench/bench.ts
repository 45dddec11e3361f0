import { stopCluster } from './cluster.ts'
import { stopAll } from './processes.ts'
import { announce } from './sections/announce.ts'
import { badge } from './sections/badge.ts'
import { growth } from './sections/growth.ts'
import { largeAccount } from './sections/large-account.ts'
import { live } from './sections/live.ts'
import { memory } from './sections/memory.ts'
import { pages } from './sections/pages.ts'
import { search } from './sections/search.ts'
import type { Extent, Section } from './sections/section.ts'
import { start } from './sections/start.ts'
import { storedRows } from './sections/stored-rows.ts'
import { twoProcesses } from './sections/two-processes.ts'
import { watchers } from './sections/watchers.ts'
import { webhooksThatHang } from './sections/webhooks.ts'
import { machine, tableHead, tableRows } from './table.ts'
import { requireWrk } from './wrk.ts'

const sections: Readonly<Record<string, Section>> = {
  badge,
  announce,
  pages,
  growth,
  'large-account': largeAccount,
  'stored-rows': storedRows,
  'two-processes': twoProcesses,
  start,
  memory,
  live,
  watchers,
  search,
  webhooks: webhooksThatHang,
}

const usage = `npm run bench -- [--quick] [--huge] [${Object.keys(sections).join(' | ')}]…`

for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
await main(process.argv.slice(2)).finally(end)

/** Leaves nothing running: no server and no Postgres. */
async function end(): Promise<never> {
  stopAll()
  await stopCluster()
  process.exit()
}

async function main(words: readonly string[]): Promise<void> {
  const names = words.filter((word) => !word.startsWith('--'))
  const flags = words.filter((word) => word.startsWith('--'))
  const isKnown =
    names.every((name) => name in sections) && flags.every((flag) => /^--(quick|huge)$/.test(flag))
  if (!isKnown) return console.error(usage)
  requireWrk()
  console.log(`${await machine()}\n\n${tableHead}`)
  await measure(names.length === 0 ? Object.keys(sections) : names, {
    ...(flags.includes('--quick') ? { seconds: 1, rounds: 3 } : { seconds: 3, rounds: 5 }),
    users: 10_000,
    grownTo: flags.includes('--huge') ? 91_000 : 10_000,
    searched: flags.includes('--huge') ? 10_000_000 : 1_000_000,
  })
}

/** Prints each section once it is measured. If one fails, as on a busy machine, the others go on. */
async function measure(names: readonly string[], extent: Extent): Promise<void> {
  for (const name of names) {
    console.error(`Measuring ${name} …`)
    try {
      console.log(tableRows((await sections[name]?.(extent)) ?? []))
    } catch (error) {
      console.error(`${name} failed:`, error)
      process.exitCode = 1
    }
    stopAll()
  }
}
