import type { Capability } from '../../capability.ts'
import { ConfigError, settingsIn } from '../../settings-reader.ts'
import { dumpCommand, restoreCommand } from './commands.ts'
import { backupFinding } from './finding.ts'
import { moveFromPglite } from './move-from-pglite.ts'
import { backupAgeSeconds, keepBackups } from './timer.ts'

const variables = {
  BACKUP_EVERY: {
    from: '1m',
    to: '14d',
    says: 'how often the local database is [dumped](operations.md#backup-and-restore) into `DATA_DIR/backups`; refused with `DATABASE_URL`',
  },
  BACKUP_KEEP: { default: 7, from: 1, to: 1_000, says: 'how many of these backups are kept' },
} as const

/** Dumps, restores, backs up by a timer (docs/operations.md#backup-and-restore), and moves what PGlite has. */
export const backupsCapability: Capability = {
  name: 'backups',
  variables,
  commands: [dumpCommand, restoreCommand],
  metrics: {
    shipfeed_backup_every_seconds: { type: 'gauge', help: 'BACKUP_EVERY.' },
    shipfeed_backup_age_seconds: {
      type: 'gauge',
      help: 'With BACKUP_EVERY: how old the newest backup is; +Inf if there is none.',
    },
  },
  check: async (_, { config, service }) =>
    config.databaseUrl === null
      ? [backupFinding(backupAgeSeconds(config.dataDir), service.backupEverySeconds)]
      : [],
  configure(env, { databaseUrl, dataDir }) {
    const settings = settingsIn(env, variables)
    const everySeconds = settings.duration('BACKUP_EVERY')
    const keep = settings.wholeNumber('BACKUP_KEEP')
    if (everySeconds !== null && databaseUrl !== null)
      throw new ConfigError(
        'BACKUP_EVERY is for the database in DATA_DIR: with DATABASE_URL, unset it, and run "shipfeed dump" or pg_dump from a timer',
      )
    return {
      ...(databaseUrl === null && { prepare: (parts) => moveFromPglite({ dataDir, ...parts }) }),
      ...(everySeconds !== null && {
        noted: { backupEverySeconds: everySeconds },
        start({ db, tables, log }) {
          let stop = () => {}
          return {
            gauges: {
              shipfeed_backup_every_seconds: () => everySeconds,
              shipfeed_backup_age_seconds: () => backupAgeSeconds(dataDir),
            },
            onMigrated() {
              stop = keepBackups(db, { tables, dataDir, everyMs: everySeconds * 1_000, keep }, log)
            },
            stop: () => stop(),
          }
        },
      }),
    }
  },
}
