import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { writeDump } from '../data/dump/write.ts'
import type { Db } from '../database/db.ts'
import { messageOf } from '../database/errors.ts'

type Plan = { readonly folder: string; readonly everyMs: number; readonly keep: number }

type Tell = (event: 'backup_made' | 'backup_failed', facts: { readonly message: string }) => void

/**
 * Writes a dump into a folder whenever the newest there has reached this age, and removes all but the newest
 * few. One that fails is told and leaves the others; the next is tried when it is due. Returns the function
 * that stops it.
 */
export function keepBackups(db: Db, { folder, everyMs, keep }: Plan, tell: Tell): () => void {
  let timer = setTimeout(work, untilDue())
  let isStopped = false
  timer.unref()

  return function stop() {
    isStopped = true
    clearTimeout(timer)
  }

  /**
   * Counted from the newest file, so that restarts neither skip one nor make one each; and where a clock that was
   * set back left it in the future, from now.
   */
  function untilDue(): number {
    const [newest] = backupsIn(folder)
    if (newest === undefined) return 0
    const ageMs = Date.now() - statSync(join(folder, newest)).mtimeMs
    return Math.max(0, everyMs - Math.max(0, ageMs))
  }

  async function work(): Promise<void> {
    try {
      const path = await backUp(db, folder)
      for (const old of backupsIn(folder).slice(keep)) rmSync(join(folder, old))
      tell('backup_made', { message: `Backed up to ${path}` })
    } catch (error) {
      if (!isStopped) tell('backup_failed', { message: `No backup was made: ${messageOf(error)}` })
    }
    if (isStopped) return
    timer = setTimeout(work, everyMs)
    timer.unref()
  }
}

/** Writes a dump beside its place, and moves it there once it is whole and on the disk. Gives its path. */
async function backUp(db: Db, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const unfinished = join(folder, 'unfinished')
  const path = join(folder, `${new Date().toISOString().replaceAll(':', '-').replace(/\..*/, 'Z')}${ending}`)
  rmSync(unfinished, { force: true })
  const file = openSync(unfinished, 'wx', 0o600)
  try {
    await writeDump(db, async (chunk) => {
      for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at)
    })
    fsyncSync(file)
    renameSync(unfinished, path)
    return path
  } finally {
    closeSync(file)
    rmSync(unfinished, { force: true })
  }
}

const ending = '.dump'

/** The newest first: their names are their times. */
function backupsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .sort()
      .toReversed()
  } catch {
    // There is none yet.
    return []
  }
}
