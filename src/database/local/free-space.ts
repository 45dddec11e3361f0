import { statfsSync } from 'node:fs'
import type { Report } from '../db.ts'
import { DiskFull } from '../errors.ts'

/** With less, what takes much space is refused, so that reading and deleting go on (docs/decisions.md#operation). */
const leastBytes = 64 * 1024 * 1024

const lookEveryMs = 1_000

export type FreeSpace = ReturnType<typeof watchFreeSpace>

/** Looks every second how much space is free for a folder. */
export function watchFreeSpace(folder: string, report: Report) {
  const least = `${leastBytes / 1024 / 1024} MiB`
  let isFull = false
  look()
  const timer = setInterval(look, lookEveryMs)
  timer.unref()

  return {
    /** Throws DiskFull. */
    require(): void {
      if (isFull) throw new DiskFull(`less than ${least} are free for ${folder}`)
    },
    stop: () => clearInterval(timer),
  }

  function look(): void {
    const { bavail, bsize } = statfsSync(folder)
    const wasFull = isFull
    isFull = bavail * bsize < leastBytes
    if (isFull === wasFull) return
    if (isFull) {
      report(
        `Less than ${least} are free for ${folder}: announcements, imports, dumps and backups are refused until there is more space`,
        'disk_full',
      )
    } else {
      report(`At least ${least} are free again for ${folder}: everything is accepted`, 'disk_freed')
    }
  }
}
