import { existsSync, statfsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { DatabaseUnusable, messageOf } from '../database/errors.ts'
import { readFacts } from '../database/facts.ts'
import { before } from '../database/guard.ts'
import { lookInto } from '../database/look.ts'
import { lookAtStandbys } from '../database/postgres/standbys/ways.ts'
import { openFilesAdvice } from '../open-files.ts'
import { type Command, CommandRefused, program } from './command.ts'
import {
  bellFinding,
  databaseFindings,
  diskFinding,
  isWrong,
  lineOf,
  right,
  standbyFinding,
  wrong,
} from './findings.ts'
import { askServer } from './operator-socket.ts'

/** For a process that stands still, which is worth a word. */
const patienceMs = 10_000

/** Asks the process that serves an embedded database for its part. */
const inside = 'inside'

/** `check`: whether everything that Shipfeed stands on is in order. */
export const check: Command = {
  name: 'check',
  summary: 'look at the settings, the database, the clock, the disk and open files',
  usage: `${program} check

Prints a line for each, with what to do where something is wrong, and exits with 1 then. It changes nothing, and
works while the service runs or not. For example: ${program} check`,
  prepare([word]) {
    if (word === undefined) return { alone: ({ readConfig }) => checkAll(readConfig) }
    if (word !== inside) throw new CommandRefused(`check takes no word. Usage: ${check.usage}`)
    return {
      async withDatabase({ db, config, output }) {
        const findings = [...databaseFindings(await db.run(readFacts)), openFiles(config)]
        await output(findings.map(lineOf).join(''))
      },
    }
  },
}

async function checkAll(readConfig: () => Config): Promise<void> {
  let wrongs = 0
  for await (const line of linesOf(readConfig)) {
    await Bun.write(Bun.stdout, line)
    if (isWrong(line)) wrongs += 1
  }
  if (wrongs > 0) throw new CommandRefused(`${wrongs} of these ${wrongs === 1 ? 'is' : 'are'} wrong`)
}

async function* linesOf(readConfig: () => Config): AsyncGenerator<string> {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    yield lineOf(wrong('settings', messageOf(error)))
    return
  }
  const place = config.databaseUrl === null ? `DATA_DIR "${config.dataDir}"` : 'the Postgres of DATABASE_URL'
  yield lineOf(right('settings', `BASE_URL is ${config.baseUrl}, the data is in ${place}`))
  try {
    yield* await databaseLines(config)
  } catch (error) {
    yield lineOf(wrong('database', adviceOf(error, config)))
  }
  if (config.databaseUrl === null) {
    yield lineOf(diskFinding(freeMegabytes(config.dataDir), config.dataDir))
  } else {
    for (const standby of await lookAtStandbys(config.databaseUrl, config))
      yield lineOf(standbyFinding(standby))
  }
}

function adviceOf(error: unknown, { databaseUrl, databaseListenUrl }: Config): string {
  if (error instanceof DatabaseUnusable) return error.message
  const addresses = databaseListenUrl === null ? 'DATABASE_URL' : 'DATABASE_URL and DATABASE_LISTEN_URL'
  const advice =
    databaseUrl === null
      ? 'read the log of the service, and restart it'
      : `is it running, and are address, user and database of ${addresses} right?`
  return `${messageOf(error)}: ${advice}`
}

/** From the process that serves, where it holds the database. */
async function databaseLines(config: Config): Promise<readonly string[]> {
  let answer = ''
  const take = async (chunk: string | Uint8Array) => {
    answer += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)
  }
  if (config.databaseUrl === null) {
    const asked = askServer(config.dataDir, [check.name, inside], take)
    if (await before(performance.now() + patienceMs, asked)) return answer.split(/(?<=\n)/)
    if (!existsSync(join(config.dataDir, 'postgres'))) {
      return [right('database', 'there is none yet, the first start makes it'), openFiles(config)].map(lineOf)
    }
  }
  const found = await lookInto(config, async (queries, hasSession) => {
    const findings = databaseFindings(await readFacts(queries))
    return config.databaseUrl === null ? findings : [...findings, bellFinding(config, hasSession)]
  })
  return [...found, openFiles(config)].map(lineOf)
}

function openFiles({ streamsMax }: Config) {
  const advice = openFilesAdvice(streamsMax)
  return advice === null
    ? right('open files', `enough for STREAMS_MAX ${streamsMax} open feeds`)
    : wrong('open files', advice)
}

/** On the disk of a directory, or of the one in which it will be made. */
function freeMegabytes(directory: string): number {
  let existing = resolve(directory)
  while (!existsSync(existing)) existing = dirname(existing)
  const { bavail, bsize } = statfsSync(existing)
  return Math.floor((bavail * bsize) / 1e6)
}
