import { lchownSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SystemUser } from './system-user.ts'

/** With the database, so that a copy of its folder is complete. */
function fileIn(path: string): string {
  return join(path, 'shipfeed-password')
}

/** The password of our role. Null if the folder has none, or a part of one after a crash. */
export function readPassword(path: string): string | null {
  try {
    const found = readFileSync(fileIn(path), 'utf8')
    return /^[0-9a-f-]{36}$/.test(found) ? found : null
  } catch {
    return null
  }
}

/** The file belongs to the user of Postgres, which opens every file of its folder after a crash, to sync it. */
export function writePassword(path: string, { ids }: SystemUser, password: string): void {
  rmSync(fileIn(path), { force: true })
  writeFileSync(fileIn(path), password, { mode: 0o600, flag: 'wx' })
  if (ids.uid !== undefined) lchownSync(fileIn(path), ids.uid, ids.gid ?? -1)
}
