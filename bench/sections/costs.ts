import { askAll, askingCost } from '../costs/asking.ts'
import { compared, tryBoth } from '../costs/check.ts'
import { type Found, mediansOf } from '../costs/found.ts'
import { meteredService, type Statement } from '../costs/metered.ts'
import { standbyCosts } from '../costs/standby.ts'
import { mostWatchers, watchAll, watchingCosts } from '../costs/watching.ts'
import { copyOfDataSet } from '../data-sets/server.ts'
import { frameBytes } from '../live/posting.ts'
import { announceRequests, badgeRequests } from '../requests.ts'
import { type Cost, type Costs, measured } from '../simulate/costs.ts'
import { type Row, rounded } from '../table.ts'
import { wrk } from '../wrk.ts'
import type { Extent } from './section.ts'

/** With 110,000 deployments: a hundred times as many cost hardly more. */
const users = 1_000

/** The costs that the simulation uses, and whether it predicts two real configurations with them. */
export async function costs({ seconds, rounds }: Extent): Promise<readonly Row[]> {
  const databaseUrl = await copyOfDataSet(users)
  const unlimited = { STREAMS_PER_ADDRESS: String(mostWatchers + 1) }
  const first = await meteredService({ DATABASE_URL: databaseUrl }, unlimited)
  const second = await meteredService({ DATABASE_URL: databaseUrl }, unlimited)
  const [badges, announcements] = [badgeRequests(users), announceRequests(users)]
  for (const requests of [badges, announcements]) await wrk([first, second], requests, { seconds })
  const found: Found[] = []
  for (let round = 0; round < rounds; round++) {
    found.push({
      ...(await askAll(first, 'badges', badges, seconds)),
      ...(await tryBoth([first, second], badges, seconds)),
      ...(await askAll(first, 'announcements', announcements, seconds)),
      ...(await watchAll(first, second)),
    })
  }
  const bytes = await bytesOf(`${first.url}/badge/u1.svg`)
  for (const server of [first, second]) await server.stop()
  const medians = mediansOf(found)
  const all = costsOf(medians, bytes, await standbyCosts({ seconds }))
  return [...rowsOf(all), ...compared(all, medians)]
}

function costsOf(found: Found, bytes: number, standby: { awaited: number; replayed: number }): Costs {
  const of = (statement: Statement) => ({
    ours: askingCost(found, statement, 'ours'),
    postgres: askingCost(found, statement, 'postgres'),
  })
  const { bell, opened, event } = watchingCosts(found)
  const alone = askingCost(found, 'announcements', 'clock')
  return {
    badge: { ...of('badges'), bytes },
    announcement: { ...of('announcements'), alone, ...standby },
    bell,
    watcher: { ...measured.watcher, opened, event, eventBytes: frameBytes('http://localhost:3000') },
    megabytes: measured.megabytes,
  }
}

function rowsOf({ badge, announcement, bell, watcher }: Costs): readonly Row[] {
  const both = ({ each, once }: Cost) => `${rounded(each)} µs + ${rounded(once)} µs a batch`
  const rows: Readonly<Record<string, string>> = {
    'badge, our process': both(badge.ours),
    'badge, Postgres': both(badge.postgres),
    'badge, with its headers': `${badge.bytes} bytes`,
    'announcement, our process': both(announcement.ours),
    'announcement, Postgres': both(announcement.postgres),
    'announcement, from sending its batch to the answer': both(announcement.alone),
    'batch of announcements, longer with a standby that applies it': `${rounded(announcement.awaited)} µs`,
    'announcement, applied by a standby': `${rounded(announcement.replayed)} µs`,
    'bell, a process with watchers': `${rounded(bell.ours)} µs`,
    'bell, Postgres': `${rounded(bell.postgres)} µs`,
    'watcher, its stream opened: our process': `${rounded(watcher.opened.ours)} µs`,
    'watcher, its stream opened: Postgres': `${rounded(watcher.opened.postgres)} µs`,
    'watcher, an event sent': `${rounded(watcher.event)} µs`,
    'watcher, bytes of an event': `${watcher.eventBytes} bytes`,
  }
  return Object.entries(rows).map(([what, ours]) => ({ what, ours }))
}

/** The length of a head, with the line of the status and the blank one. */
async function bytesOf(url: string): Promise<number> {
  const response = await fetch(url)
  const head = [...response.headers].reduce((sum, [name, value]) => sum + `${name}: ${value}\r\n`.length, 0)
  return 'HTTP/1.1 200 OK\r\n\r\n'.length + head + (await response.arrayBuffer()).byteLength
}
