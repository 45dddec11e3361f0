import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Report } from '../db.ts'
import { DiskFull } from '../errors.ts'

/** With less, what takes much space is refused; reading and deleting go on (docs/operations.md#local-database). */
const minBytes = 64 * 1024 * 1024

const lookEveryMs = 1_000

/** Looks every second how much space is free for a folder. */
export async function watchFreeSpace(folder: string, report: Report) {
  const least = `${minBytes / 1024 / 1024} MiB`
  let isFull = false
  let isStopped = false
  await look()
  void keepLooking()

  return {
    /** Throws DiskFull. */
    require(): void {
      if (isFull) throw new DiskFull(`less than ${least} are free for ${folder}`)
    },
    stop(): void {
      isStopped = true
    },
  }

  async function keepLooking(): Promise<void> {
    while (!isStopped) {
      await sleep(lookEveryMs, null, { ref: false })
      await look()
    }
  }

  async function look(): Promise<void> {
    const free = await freeBytes(folder)
    const wasFull = isFull
    isFull = free < minBytes
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

async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    // The folder has gone, and nothing can be stored there.
    return 0
  }
}
