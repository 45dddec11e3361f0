import type { Config } from '../config.ts'
import type { DatabaseFacts } from '../database/facts.ts'
import type { Finding as StandbyFinding } from '../database/postgres/standbys/standbys.ts'

/** What was looked at, and what it says; where it is wrong, also what to do. */
export type Finding = { readonly about: string; readonly isRight: boolean; readonly says: string }

const leastMegabytes = 500
const mostSecondsApart = 5

export function lineOf({ about, isRight, says }: Finding): string {
  return `${isRight ? 'ok   ' : 'WRONG'}  ${about.padEnd(10)}  ${says}\n`
}

/** Whether a line of lineOf tells of something wrong. */
export function isWrong(line: string): boolean {
  return line.startsWith('WRONG')
}

/** What the facts of a database come to. */
export function databaseFindings({
  version,
  megabytes,
  isReadOnly,
  isDurable,
  schema,
  aheadMs,
}: DatabaseFacts): readonly Finding[] {
  const seconds = Math.round(aheadMs / 1_000)
  return [
    isReadOnly
      ? wrong('database', 'takes no writes: give the address of the primary, or end its read-only mode')
      : right('database', `Postgres ${version}, ${megabytes} MB`),
    isDurable
      ? right('durable', 'what is acknowledged is on the disk')
      : wrong('durable', 'fsync is off, and a crash may lose what was acknowledged: set it to on'),
    schemaFindings[schema],
    Math.abs(seconds) <= mostSecondsApart
      ? right('clock', `that of this machine and the database's agree to ${mostSecondsApart} s`)
      : wrong(
          'clock',
          `the database's is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine's: set both by NTP`,
        ),
  ]
}

const schemaFindings: Readonly<Record<DatabaseFacts['schema'], Finding>> = {
  none: right('schema', 'there is none yet, the first start makes it'),
  same: right('schema', 'is of this version'),
  older: wrong('schema', 'is of an older version: make a backup, then start this version, which migrates it'),
  newer: wrong('schema', 'is of a newer version: start that one, or restore a backup from before it'),
}

/** How live feeds hear of what is new, by a Postgres that may give no session to listen in. */
export function bellFinding({ bell }: Pick<Config, 'bell'>, hasSession: boolean): Finding {
  if (bell === 'poll') return right('bell', 'live feeds look four times a second, as BELL=poll asks for')
  return hasSession
    ? right('bell', 'live feeds hear of news at once')
    : right(
        'bell',
        'live feeds look four times a second, since a pooler shares connections: with DATABASE_LISTEN_URL they hear at once',
      )
}

/** Whether there is room on the disk of a directory. */
export function diskFinding(megabytes: number, directory: string): Finding {
  const says = `${megabytes} MB are free for ${directory}`
  return megabytes >= leastMegabytes
    ? right('disk', says)
    : wrong('disk', `${says}: free ${leastMegabytes} MB or more, prune, or move to Postgres`)
}

/** What a look at a standby comes to. */
export function standbyFinding({ name, unfit }: StandbyFinding): Finding {
  if (unfit === null) return right('standby', `${name} is read from`)
  if (unfit.kind === 'primary') return right('standby', `${name} is a primary`)
  const choice = unfit.kind === 'setting' ? ' (READS=eventual accepts stale answers)' : ''
  const says = `nothing may be read from the standby ${name} of DATABASE_READ_URL: ${unfit.why}${choice}`
  return wrong('standby', says)
}

export function right(about: string, says: string): Finding {
  return { about, isRight: true, says }
}

export function wrong(about: string, says: string): Finding {
  return { about, isRight: false, says }
}
