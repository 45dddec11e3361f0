import { type Queries, rowOfWritten } from '../../db.ts'
import { isConnectionLost, Unavailable } from '../../errors.ts'

/**
 * How long a standby may take to answer and to catch up with the primary, in milliseconds. We do not wait longer, so
 * that there is still time to ask the primary.
 */
export const standbyTimeoutMs = 700

/** The result of a look at the primary. It decides which standbys may be read. */
export type PrimaryView = {
  /** See `termsText`. Null if the server is not a primary. */
  readonly terms: string | null
  readonly timeline: number
  readonly system: string
  readonly commits: string
  readonly names: string
  /** The position up to which its write-ahead log is on disk, in bytes. */
  readonly flushed: number
  readonly user: string
  /** Whether our user may see the standbys that follow it. */
  readonly maySee: boolean
  readonly followers: readonly Follower[]
}

/** A standby that follows the primary. If commits wait for it, `sync` is "sync" or "quorum". */
type Follower = { readonly name: string; readonly state: string; readonly sync: string }

/**
 * The terms on which a primary commits: its timeline, when it was started, how it commits, and the standbys that it
 * waits for. Null on a standby. The start is part of the terms because a server that has recovered from a crash shows
 * commits that did not wait for a standby.
 */
const termsText = `
  case when not pg_is_in_recovery() then concat_ws(
    ' ', left(pg_walfile_name(pg_current_wal_lsn()), 8), pg_postmaster_start_time(),
    pg_stat_get_bgwriter_stat_reset_time(), current_setting('synchronous_commit'),
    current_setting('synchronous_standby_names')
  ) end`

const termsStatement = `select ${termsText} as terms`

const primaryStatement = `
  select ${termsText} as terms,
    case when not pg_is_in_recovery()
      then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline,
    case when not pg_is_in_recovery() then (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8 end as flushed,
    (select system_identifier::text from pg_control_system()) as system,
    current_setting('synchronous_commit') as commits,
    current_setting('synchronous_standby_names') as names,
    quote_ident(current_user) as user,
    pg_has_role('pg_read_all_stats', 'usage') as "maySee",
    (
      select coalesce(json_agg(json_build_object('name', application_name, 'state', state, 'sync', sync_state)), '[]')
      from pg_stat_replication
    ) as followers`

export function readPrimaryView(queries: Queries): Promise<PrimaryView> {
  return rowOfWritten<PrimaryView>(queries, primaryStatement, [])
}

/**
 * Reads the terms after the work is done. The work must not be repeated, so this never rejects with an error after
 * which `guard` would run it again.
 */
export async function readTerms(queries: Queries): Promise<string> {
  const { terms } = await rowOfWritten<{ terms: string | null }>(queries, termsStatement, []).catch(
    (error: unknown) => {
      throw isConnectionLost(error) ? error : new Unavailable('the state of the primary cannot be read')
    },
  )
  if (terms === null) throw new Unavailable('the server is a standby, not a primary')
  return terms
}

/** What a standby reports about itself with each read. */
export type StandbyPosition = {
  readonly isStandby: boolean
  /** When the server was started. After a restart, a standby may for a while lack commits that it has already shown. */
  readonly run: string
  /** The position up to which it has replayed the write-ahead log, in bytes. */
  readonly replayed: number
}

/** The result of a look at a standby. It decides whether the standby may be read. */
export type StandbyView = StandbyPosition & {
  readonly system: string
  readonly pause: string
  /** Null while the standby receives nothing, or if our user may not see this. */
  readonly receiver: Receiver | null
}

/** `conninfo` has the name under which the standby follows its primary. */
type Receiver = { readonly status: string; readonly timeline: number; readonly conninfo: string }

const positionStatement = `
  select pg_is_in_recovery() as "isStandby",
    concat_ws(' ', pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time()) as run,
    (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::float8 as replayed`

const standbyStatement = `${positionStatement},
    (select system_identifier::text from pg_control_system()) as system,
    case when pg_is_in_recovery() then pg_get_wal_replay_pause_state() end as pause,
    (
      select json_build_object('status', status, 'timeline', received_tli, 'conninfo', conninfo)
      from pg_stat_wal_receiver where status is not null
    ) as receiver`

export function readReplayPosition(queries: Queries): Promise<StandbyPosition> {
  return rowOfWritten<StandbyPosition>(queries, positionStatement, [])
}

export function readStandbyView(queries: Queries): Promise<StandbyView> {
  return rowOfWritten<StandbyView>(queries, standbyStatement, [])
}

/**
 * Why a standby is not read from. `setting`: the settings of the primary or the standby do not allow current reads, but
 * are enough for READS=eventual. `state`: any other reason, mostly temporary. `primary`: it is a primary, which is no
 * fault, since DATABASE_URL and DATABASE_READ_URL may both list every server.
 */
export type Unfit = { readonly kind: 'setting' | 'state' | 'primary'; readonly why: string }

/** Why a standby may not answer for this primary. Null if it may answer once it is not behind (`isBehind`). */
export function unfitness(primary: PrimaryView, standby: StandbyView): Unfit | null {
  if (!standby.isStandby) return isPrimary
  if (standby.system !== primary.system) {
    return unfitState('it is not a standby of the database of DATABASE_URL')
  }
  return wrongSetting(primary, standby) ?? wrongState(primary, standby)
}

/** Whether a standby has yet to replay commits that were on disk when we last looked at the primary. */
export function isBehind({ flushed }: PrimaryView, { replayed }: StandbyPosition): boolean {
  return replayed < flushed
}

export const isPrimary: Unfit = { kind: 'primary', why: 'it is a primary' }

export function unfitState(why: string): Unfit {
  return { kind: 'state', why }
}

function unfitSetting(why: string): Unfit {
  return { kind: 'setting', why }
}

function wrongSetting(primary: PrimaryView, { receiver }: StandbyView): Unfit | null {
  const awaited = awaitedStandbys(primary.names)
  if (primary.commits !== 'remote_apply') {
    return unfitSetting(
      `the primary does not have synchronous_commit = remote_apply for the user ${primary.user}`,
    )
  }
  if (awaited === null) {
    return unfitSetting(
      `synchronous_standby_names is '${primary.names}': set it so that commits wait for every standby that it names, for example 'FIRST n (…)' with n names`,
    )
  }
  if (!primary.maySee) {
    return unfitSetting(
      `run "grant pg_monitor to ${primary.user}", so that Shipfeed sees which standbys follow the primary`,
    )
  }
  const name = receiver === null ? null : followerName(receiver.conninfo)
  if (name === null || awaited.includes(name)) return null
  return unfitSetting(`its application_name is "${name}", which is not in synchronous_standby_names`)
}

function wrongState({ timeline, followers }: PrimaryView, { receiver, pause }: StandbyView): Unfit | null {
  if (receiver?.status !== 'streaming')
    return unfitState(
      'it does not stream from the primary, or the user of DATABASE_READ_URL lacks pg_monitor',
    )
  if (receiver.timeline !== timeline) return unfitState('it follows another primary')
  if (pause !== 'not paused') return unfitState('its replay is paused')
  const name = followerName(receiver.conninfo)
  const alike = followers.filter((follower) => follower.name.toLowerCase() === name)
  if (alike.length > 1) {
    return unfitSetting(`${alike.length} standbys have the application_name "${name}": give each its own`)
  }
  const isAwaited = alike.some(({ state, sync }) => state === 'streaming' && /^(sync|quorum)$/.test(sync))
  return isAwaited ? null : unfitState('the primary does not wait for it yet')
}

/**
 * The standbys that a commit waits for according to `synchronous_standby_names`. The names are in lower case,
 * because Postgres ignores case here. Null if a commit waits for none, or not for all that are named.
 */
export function awaitedStandbys(setting: string): readonly string[] | null {
  const [, count = '1', list = setting] =
    /^\s*(?:(?:first|any)\s)?\s*(\d+)\s*\((.*)\)\s*$/is.exec(setting) ?? []
  const names = (list.match(/"(?:[^"]|"")*"|[^\s,]+/g) ?? []).map((word) =>
    (word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word).toLowerCase(),
  )
  return names.length > 0 && names.length === Number(count) && !names.includes('*') ? names : null
}

/** The name under which a standby follows its primary, from its connection string and in lower case. */
export function followerName(conninfo: string): string | null {
  const given = (key: string) =>
    new RegExp(`(?:^|\\s)${key}=('(?:[^'\\\\]|\\\\.)*'|\\S+)`).exec(conninfo)?.[1]
  const value = given('application_name') ?? given('fallback_application_name')
  return value === undefined ? null : value.replace(/^'|'$/g, '').replace(/\\(.)/g, '$1').toLowerCase()
}
