import { parseArgs } from 'node:util'
import { measured } from './costs.ts'
import type { Load } from './demand.ts'
import { sized, table } from './telling.ts'

/**
 * `npm run simulate -- --badges 100000 --announcements 10 --watchers 10000` prints what that load takes, by the
 * figures of docs/figures.md#costs; without arguments, the table of docs/scaling.md.
 */
const usage =
  'npm run simulate -- [--badges <a second>] [--announcements <a second>] [--watchers <open feeds>] [--events <a second that each of them is sent>]'

/** Badges are asked for far more often than anything is announced. */
const examples: readonly Load[] = [
  { badges: 1_000, announcements: 1, watchers: 100, events: 1 },
  { badges: 100_000, announcements: 10, watchers: 10_000, events: 10 },
  { badges: 1_000_000, announcements: 100, watchers: 10_000, events: 10 },
  { badges: 10_000_000, announcements: 100, watchers: 10_000, events: 10 },
  { badges: 0, announcements: 10, watchers: 1_000_000, events: 10 },
  { badges: 0, announcements: 10, watchers: 1_000_000, events: 0.01 },
]

class Unreadable extends Error {}

try {
  const load = readLoad(process.argv.slice(2))
  console.log(load === null ? table(examples, measured) : sized(load, measured))
} catch (error) {
  if (!(error instanceof Unreadable)) throw error
  console.error(`${error.message}: ${usage}`)
  process.exitCode = 1
}

function readLoad(words: readonly string[]): Load | null {
  if (words.length === 0) return null
  const values = parse(words)
  const announcements = amount('announcements', values.announcements) ?? 0
  return {
    badges: amount('badges', values.badges) ?? 0,
    announcements,
    watchers: amount('watchers', values.watchers) ?? 0,
    // By default, watchers watch everything.
    events: amount('events', values.events) ?? announcements,
  }
}

function parse(words: readonly string[]) {
  const option = { type: 'string' } as const
  const options = { badges: option, announcements: option, watchers: option, events: option }
  try {
    return parseArgs({ args: [...words], options }).values
  } catch (error) {
    // The second line and the others of the message do not help here.
    throw new Unreadable(String(error).split('\n')[0])
  }
}

function amount(name: string, text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text)
  throw new Unreadable(`--${name} is ${JSON.stringify(text)}, and not a number such as 1000 or 0.5`)
}
