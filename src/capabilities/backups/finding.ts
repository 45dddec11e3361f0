import { type Finding, right, wrong } from '../../commands/finding.ts'
import { durationInWords } from '../../domain/time.ts'

/** A line of `check`. Without `everySeconds`, the service makes no backups. */
export function backupFinding(ageSeconds: number, everySeconds: number | null): Finding {
  const isThere = ageSeconds < Number.POSITIVE_INFINITY
  const age = durationInWords(ageSeconds * 1_000) ?? 'seconds'
  const newest = isThere
    ? `the newest in DATA_DIR/backups is ${age} old`
    : 'there is none in DATA_DIR/backups'
  if (everySeconds === null) return right('backup', `BACKUP_EVERY is off, ${newest}`)
  return ageSeconds <= 2 * everySeconds
    ? right('backup', newest)
    : wrong('backup', `${newest}: look for \`backup_failed\` in the log of the service`)
}
