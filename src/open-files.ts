import { readFileSync } from 'node:fs'

/** For connections to the database, files, and visitors of pages. */
const besideStreams = 200

/**
 * What to tell the operator if this process may open too few files for its streams, else null.
 */
export function openFilesAdvice(streamsMax: number): string | null {
  const limit = openFilesLimit()
  if (limit === null || limit >= streamsMax + besideStreams) return null
  return `Only ${limit} files may be open, and each of STREAMS_MAX ${streamsMax} open feeds is one: raise "ulimit -n" or set STREAMS_MAX to ${Math.max(0, limit - besideStreams)}`
}

/** Null if the system does not say, or has no limit. */
export function openFilesLimit(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? null : Number(soft)
  } catch {
    return null
  }
}
