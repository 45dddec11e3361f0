import { readFileSync } from 'node:fs'

/** Connections to the database, files, and people who look at a page. */
const besideStreams = 200

/**
 * What to tell the operator where this process may open too few files for so many streams; null where it may.
 */
export function openFilesAdvice(streamsMax: number): string | null {
  const limit = openFilesLimit()
  if (limit === null || limit >= streamsMax + besideStreams) return null
  return `Only ${limit} files may be open, and each of STREAMS_MAX ${streamsMax} open feeds is one: raise "ulimit -n" or set STREAMS_MAX to ${Math.max(0, limit - besideStreams)}`
}

/** Null where the system does not say, or has no limit. */
function openFilesLimit(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? null : Number(soft)
  } catch {
    return null
  }
}
