import { readFileSync } from 'node:fs'

/** Open files for connections to the database, other files, and requests. */
const otherFiles = 200

/** The advice for the operator if this process may open too few files for its streams, else null. */
export function openFilesAdvice(streamsMax: number): string | null {
  const limit = openFilesLimit()
  if (limit === null || limit >= streamsMax + otherFiles) return null
  const room = limit - otherFiles
  const orFewer = room > 0 ? ` or set STREAMS_MAX to ${room}` : ''
  return `This process may open ${limit} files, and each of STREAMS_MAX ${streamsMax} open feeds needs one: raise "ulimit -n"${orFewer}`
}

/** As many streams as leave room for everything else, at most the setting: without a free file, nobody is answered. */
export function streamsThatFit(streamsMax: number): number {
  const limit = openFilesLimit()
  return limit === null ? streamsMax : Math.max(0, Math.min(streamsMax, limit - otherFiles))
}

/** How many files this process may open. Null if the system does not say, or has no limit. */
export function openFilesLimit(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? null : Number(soft)
  } catch {
    return null
  }
}
