import type { Queries } from '../../db.ts'
import { rowOfWritten } from '../../sql.ts'

/** What a standby tells of itself together with each read. */
export type Sight = {
  readonly isStandby: boolean
  /** Another one after each restart, whose beginning may be older than what was read before. */
  readonly run: string
  /** How far it has replayed the log, in bytes. */
  readonly replayed: number
}

/** What a look at a standby tells, which decides whether it may be read from. */
export type StandbyView = Sight & {
  readonly system: string
  readonly pause: string
  /** Null while it receives nothing, or if we may not see it. */
  readonly receiver: Receiver | null
}

/** `conninfo` has the name under which it follows its primary. */
type Receiver = { readonly status: string; readonly timeline: number; readonly conninfo: string }

const sight = `
  select pg_is_in_recovery() as "isStandby",
    concat_ws(' ', pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time()) as run,
    (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::float8 as replayed`

const view = `${sight},
    (select system_identifier::text from pg_control_system()) as system,
    case when pg_is_in_recovery() then pg_get_wal_replay_pause_state() end as pause,
    (
      select json_build_object('status', status, 'timeline', received_tli, 'conninfo', conninfo)
      from pg_stat_wal_receiver where status is not null
    ) as receiver`

export function sightOf(queries: Queries): Promise<Sight> {
  return rowOfWritten<Sight>(queries, sight, [])
}

export function lookAtStandby(queries: Queries): Promise<StandbyView> {
  return rowOfWritten<StandbyView>(queries, view, [])
}

/** The name under which a standby follows, by how it connects; in small letters, since Postgres compares them so. */
export function nameIn(conninfo: string): string | null {
  const given = (key: string) =>
    new RegExp(`(?:^|\\s)${key}=('(?:[^'\\\\]|\\\\.)*'|\\S+)`).exec(conninfo)?.[1]
  const value = given('application_name') ?? given('fallback_application_name')
  return value === undefined ? null : value.replace(/^'|'$/g, '').replace(/\\(.)/g, '$1').toLowerCase()
}
