import type { Queries } from '../../db.ts'
import { rowOfWritten } from '../../sql.ts'
import { termsText } from './acknowledging.ts'

/** What a look at the primary tells, which decides what may be read from its standbys. */
export type PrimaryView = {
  /** Null if it is none. */
  readonly terms: string | null
  readonly timeline: number
  readonly system: string
  readonly commits: string
  readonly names: string
  /** How far its log is written down, in bytes. */
  readonly flushed: number
  readonly user: string
  /** Whether we may see who follows it. */
  readonly maySee: boolean
  readonly followers: readonly Follower[]
}

/** `sync` is "sync" or "quorum" where commits wait for it. */
type Follower = { readonly name: string; readonly state: string; readonly sync: string }

const statement = `
  select ${termsText} as terms,
    case when not pg_is_in_recovery()
      then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline,
    case when not pg_is_in_recovery() then (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8 end as flushed,
    (select system_identifier::text from pg_control_system()) as system,
    current_setting('synchronous_commit') as commits,
    current_setting('synchronous_standby_names') as names,
    current_user::text as user,
    pg_has_role('pg_read_all_stats', 'usage') as "maySee",
    (
      select coalesce(json_agg(json_build_object('name', application_name, 'state', state, 'sync', sync_state)), '[]')
      from pg_stat_replication
    ) as followers`

export function lookAtPrimary(queries: Queries): Promise<PrimaryView> {
  return rowOfWritten<PrimaryView>(queries, statement, [])
}
