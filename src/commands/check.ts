import { existsSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Capability } from '../capability.ts'
import type { Config } from '../config.ts'
import { findMiscounts, type Miscount } from '../data/miscounts.ts'
import { readSettings, type ServiceSettings } from '../data/service-settings.ts'
import { readEnds } from '../data/soundness.ts'
import type { Queries } from '../database/db.ts'
import { DatabaseUnusable, damageIn, messageOf } from '../database/errors.ts'
import { hasDatabase } from '../database/local/directory.ts'
import { type DatabaseFacts, lookInto, readDatabaseFacts } from '../database/open.ts'
import { settingsWith } from '../database/postgres/pooler.ts'
import { openFilesAdvice } from '../open-files-limit.ts'
import { type Command, CommandRefused, type CommandSettings, printable, program } from './command.ts'
import { type Finding, lineOf, right, wrong } from './finding.ts'

export const checkCommand = (capabilities: readonly Capability[]): Command => ({
  name: 'check',
  summary:
    'check the settings, the database, the clock, the webhooks, the counts, backups, the disk and open files',
  usage: `${program} check

Prints one line per check. If something is wrong, the line says what to do, and the exit code is 1. It changes nothing,
and works whether the service runs or not. For example: ${program} check`,
  async alone(readSettings) {
    let wrongs = 0
    for await (const line of linesOf(capabilities, readSettings)) {
      await Bun.write(Bun.stdout, printable(line))
      if (line.startsWith('WRONG')) wrongs += 1
    }
    if (wrongs > 0) throw new CommandRefused(`${wrongs} ${wrongs === 1 ? 'check' : 'checks'} failed`)
  },
})

async function* linesOf(
  capabilities: readonly Capability[],
  readSettings: () => CommandSettings,
): AsyncGenerator<string> {
  let settings: CommandSettings
  try {
    settings = readSettings()
  } catch (error) {
    yield lineOf(wrong('settings', messageOf(error)))
    return
  }
  const { config } = settings
  const place =
    config.databaseUrl === null ? `DATA_DIR "${config.dataDir}"` : 'the Postgres server in DATABASE_URL'
  yield lineOf(right('settings', `the data is in ${place}`))
  try {
    yield* await databaseLines(capabilities, settings)
  } catch (error) {
    yield lineOf(wrong('database', adviceOf(error, config)))
  }
  if (config.databaseUrl === null) yield lineOf(diskFinding(freeMegabytes(config.dataDir), config.dataDir))
  for (const { check } of settings.configured) yield* ((await check?.()) ?? []).map(lineOf)
}

function adviceOf(error: unknown, { databaseUrl, databaseListenUrl }: Config): string {
  const damage = damageIn(error)
  if (damage !== null || error instanceof DatabaseUnusable) return messageOf(damage ?? error)
  const advice =
    databaseUrl === null
      ? 'read the log of the service, and restart it'
      : `check that it is running, and that the address, user and database in ${settingsWith(databaseListenUrl, 'and')} are right`
  return `${messageOf(error)}: ${advice}`
}

async function databaseLines(
  capabilities: readonly Capability[],
  settings: CommandSettings,
): Promise<readonly string[]> {
  const { config } = settings
  if (config.databaseUrl === null && !hasDatabase(config.dataDir)) {
    const none = right('database', 'there is none yet, the first start creates it')
    return [none, openFiles(config)].map(lineOf)
  }
  const found = await lookInto(config, (queries, hasSession) =>
    findingsIn(queries, capabilities, { ...settings, hasSession }),
  )
  return found.map(lineOf)
}

type Asked = CommandSettings & { readonly hasSession: boolean }

/** The tables are read only if they are those of this version. */
async function findingsIn(
  queries: Queries,
  capabilities: readonly Capability[],
  { config, service: own, tables, hasSession }: Asked,
): Promise<Finding[]> {
  const facts = await readDatabaseFacts(queries)
  const findings = [...databaseFindings(facts)]
  let service = own
  if (facts.schema === 'same') {
    await readEnds(queries, tables)
    const noted = await readSettings(queries)
    service = noted ?? own
    findings.push(serviceFinding(noted))
    for (const { check } of capabilities)
      if (check !== undefined) findings.push(...(await check(queries, { config, service })))
    findings.push(countsFinding(await findMiscounts(queries)))
  }
  if (config.databaseUrl !== null) findings.push(bellFinding(config, hasSession))
  return [...findings, openFiles(service)]
}

/** Which BASE_URL the service noted: that of this command may differ. */
function serviceFinding(noted: ServiceSettings | null): Finding {
  const address = noted === null ? 'it has not started yet' : `BASE_URL is ${noted.baseUrl}`
  return right('service', address)
}

/** Badges, profiles and projects are read from tables that count deployments. */
function countsFinding([first, ...more]: readonly Miscount[]): Finding {
  if (first === undefined)
    return right('counts', 'badges and profiles agree with the deployments, in a sample')
  const { table, username, rows } = first
  const others = more.length === 0 ? '' : `, and ${more.length} more`
  return wrong(
    'counts',
    `${table} disagrees with the deployments of ${username} (rows: ${rows})${others}: report this`,
  )
}

function openFiles({ streamsMax }: Pick<Config, 'streamsMax'>) {
  const advice = openFilesAdvice(streamsMax)
  return advice === null
    ? right('open files', `enough for STREAMS_MAX ${streamsMax} open feeds`)
    : wrong('open files', advice)
}

/** On the disk of a directory, which need not exist yet. */
function freeMegabytes(directory: string): number {
  let existing = resolve(directory)
  while (!existsSync(existing)) existing = dirname(existing)
  const { bavail, bsize } = statfsSync(existing)
  return Math.floor((bavail * bsize) / 1e6)
}

const minMegabytes = 500
const maxSecondsApart = 5

export function databaseFindings(facts: DatabaseFacts): readonly Finding[] {
  const { version, megabytes, schema } = facts
  const seconds = Math.round(facts.aheadMs / 1_000)
  const apart = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'}`
  return [
    facts.isReadOnly
      ? wrong('database', 'accepts no writes: set the address of the primary, or end its read-only mode')
      : right('database', `Postgres ${version}, ${megabytes} MB`),
    facts.isDurable
      ? right('durable', 'acknowledged announcements are on the disk')
      : wrong('durable', 'fsync is off, and a crash may lose acknowledged announcements: set it to on'),
    { about: 'schema', isRight: schema === 'same' || schema === 'none', says: schemaSays[schema] },
    Math.abs(seconds) <= maxSecondsApart
      ? right('clock', `the clocks of this machine and of the database agree within ${maxSecondsApart} s`)
      : wrong('clock', `the database's clock is ${apart} this machine's: set both by NTP`),
  ]
}

const schemaSays: Readonly<Record<DatabaseFacts['schema'], string>> = {
  none: 'there is none yet, the first start creates it',
  same: 'belongs to this version',
  ancient: 'is from before 1.0.0: start version 1.0.0 once, and then this version',
  older: 'belongs to an older version: make a backup, then start this version, which migrates it',
  newer: 'belongs to a newer version: start that version, or restore an older backup',
}

/** Live feeds are notified only if there is a session to listen in. */
export function bellFinding({ bell }: Pick<Config, 'bell'>, hasSession: boolean): Finding {
  if (bell === 'notify' && hasSession) return right('bell', 'live feeds are notified at once')
  const reason =
    bell === 'poll'
      ? 'of BELL=poll'
      : 'the database is behind a pooler: set DATABASE_LISTEN_URL to notify them at once'
  return right('bell', `live feeds poll four times a second, because ${reason}`)
}

export function diskFinding(megabytes: number, directory: string): Finding {
  const says = `${megabytes} MB are free for ${directory}`
  return megabytes >= minMegabytes
    ? right('disk', says)
    : wrong('disk', `${says}: make room for ${minMegabytes} MB, prune, or move to Postgres`)
}
