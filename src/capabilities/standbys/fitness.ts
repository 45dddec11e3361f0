import { type Queries, rowOfWritten } from '../../database/db.ts'
import { isConnectionLost, Unavailable } from '../../database/errors.ts'

/** How long a standby may take to answer and to catch up, so that there is still time to ask the primary. */
export const standbyTimeoutMs = 700

export type PrimaryView = {
  /** See `termsText`. Null if the server is not a primary. */
  readonly terms: string | null
  readonly timeline: number
  readonly system: string
  readonly commits: string
  readonly names: string
  /** How much of its write-ahead log is on disk, in bytes. */
  readonly flushed: number
  readonly user: string
  /** Whether our user may see the standbys that follow it. */
  readonly maySee: boolean
  /** If commits wait for a follower, `sync` is "sync" or "quorum". */
  readonly followers: readonly { readonly name: string; readonly state: string; readonly sync: string }[]
}

/**
 * The terms on which a primary commits: its timeline, its start, how it commits, and the standbys that it waits for.
 * The start is one of them because, after a crash, a primary shows commits that did not wait for a standby.
 */
const termsText = `
  case when not pg_is_in_recovery() then concat_ws(
    ' ', left(pg_walfile_name(pg_current_wal_lsn()), 8), pg_postmaster_start_time(),
    pg_stat_get_bgwriter_stat_reset_time(), current_setting('synchronous_commit'),
    current_setting('synchronous_standby_names')
  ) end`

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

export const readPrimaryView = (queries: Queries) => rowOfWritten<PrimaryView>(queries, primaryStatement)

/** Never rejects with an error that would make `guard` run the caller's work again. */
export async function readTerms(queries: Queries): Promise<string> {
  const asked = rowOfWritten<Pick<PrimaryView, 'terms'>>(queries, `select ${termsText} as terms`)
  const { terms } = await asked.catch((error: unknown) => {
    throw isConnectionLost(error) ? error : new Unavailable('the state of the primary cannot be read')
  })
  if (terms === null) throw new Unavailable('the server is a standby, not a primary')
  return terms
}

/** A standby reports this with each read. */
export type StandbyPosition = {
  readonly isStandby: boolean
  /** Its start. After a restart, a standby may for a while lack commits that it has already shown. */
  readonly run: string
  /** How much of the write-ahead log it has replayed, in bytes. */
  readonly replayed: number
}

type StandbyView = StandbyPosition & {
  readonly system: string
  readonly pause: string
  /** Null while the standby receives nothing, or if our user may not see this. */
  readonly receiver: { readonly status: string; readonly timeline: number; readonly conninfo: string } | null
}

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

export const readReplayPosition = (queries: Queries) =>
  rowOfWritten<StandbyPosition>(queries, positionStatement)

export const readStandbyView = (queries: Queries) => rowOfWritten<StandbyView>(queries, standbyStatement)

/**
 * Why a standby is not read from. `setting`: settings do not allow current reads, but are enough for READS=eventual.
 * `state`: any other reason, usually temporary. `primary` is no fault: DATABASE_READ_URL may list every server.
 */
export type Unfit = { readonly kind: 'setting' | 'state' | 'primary'; readonly why: string }

export const unfitState = (why: string): Unfit => ({ kind: 'state', why })

/** For a standby that only has to catch up. */
export const behind = unfitState('it is behind')

const unfitSetting = (why: string): Unfit => ({ kind: 'setting', why })

/** Null if the standby may be read. `primary` is null if reads need not be current. */
export function unfitness(primary: PrimaryView | null, standby: StandbyView): Unfit | null {
  const { receiver } = standby
  if (!standby.isStandby) return { kind: 'primary', why: 'it is a primary' }
  if (primary === null) return null
  if (standby.system !== primary.system) {
    return unfitState('it is not a standby of the database in DATABASE_URL')
  }
  if (primary.commits !== 'remote_apply') {
    return unfitSetting(
      `the primary does not have synchronous_commit = remote_apply for the user ${primary.user}`,
    )
  }
  const awaited = awaitedStandbys(primary.names)
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
  const name = receiver && followerName(receiver.conninfo)
  if (name !== null && !awaited.includes(name)) {
    return unfitSetting(`its application_name is "${name}", which is not in synchronous_standby_names`)
  }
  if (receiver?.status !== 'streaming') {
    return unfitState(
      'it does not stream from the primary, or the user of DATABASE_READ_URL lacks pg_monitor',
    )
  }
  if (receiver.timeline !== primary.timeline) return unfitState('it follows another primary')
  if (standby.pause !== 'not paused') return unfitState('its replay is paused')
  const alike = primary.followers.filter((follower) => follower.name.toLowerCase() === name)
  if (alike.length > 1) {
    return unfitSetting(`${alike.length} standbys have the application_name "${name}": give each its own`)
  }
  const isAwaited = alike.some(({ state, sync }) => state === 'streaming' && /^(sync|quorum)$/.test(sync))
  if (!isAwaited) return unfitState('the primary does not wait for it yet')
  return standby.replayed < primary.flushed ? behind : null
}

/** The names in `synchronous_standby_names`, in lower case. Null if a commit does not wait for all that are named. */
export function awaitedStandbys(setting: string): readonly string[] | null {
  const [, count = '1', list = setting] =
    /^(?:(?:first|any)\s+)?(\d+)\s*\((.*)\)$/is.exec(setting.trim()) ?? []
  const names = (list.match(/"(?:[^"]|"")*"|[^\s,]+/g) ?? []).map((word) =>
    (word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word).toLowerCase(),
  )
  return names.length > 0 && names.length === Number(count) && !names.includes('*') ? names : null
}

/** The name under which a standby follows its primary, in lower case. */
export function followerName(conninfo: string): string | null {
  const pairs = conninfo.matchAll(/(?:^|\s)(\w+)=('(?:[^'\\]|\\.)*(?:'|$)|\S+)/g)
  const given = new Map(Array.from(pairs, ([, key, value]) => [key, value]))
  const value = given.get('application_name') ?? given.get('fallback_application_name')
  return value === undefined ? null : value.replace(/^'|'$/g, '').replace(/\\(.)/g, '$1').toLowerCase()
}
