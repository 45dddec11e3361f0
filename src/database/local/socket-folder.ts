import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseUnusable, messageOf } from '../errors.ts'

/** A socket's path has at most 107 bytes, 103 on macOS, also with `.lock` at its end. */
const longestSocket = 103

export const socketName = '.s.PGSQL.5432'

const temporaryPrefix = '/tmp/shipfeed-socket-'

/**
 * Where Postgres listens: in the folder of its database or, where that path cannot be one of a socket, in a new folder
 * that only we may enter. Throws DatabaseUnusable.
 */
export function socketFolderFor(path: string): string {
  const isShort = Buffer.byteLength(join(path, `${socketName}.lock`)) <= longestSocket
  // These separate the folders in a setting of Postgres, or the hosts and ports in an address.
  if (isShort && !/[,:"]/.test(path)) return path
  try {
    return mkdtempSync(temporaryPrefix)
  } catch (error) {
    throw new DatabaseUnusable(
      `${path} is too long for a socket or has a sign that Postgres separates paths by, and /tmp cannot be used instead (${messageOf(error)}): set DATA_DIR to another path`,
    )
  }
}

/** Whether this folder was made for a socket alone. */
export function isTemporary(folder: string): boolean {
  return folder.startsWith(temporaryPrefix) && !folder.includes('/', temporaryPrefix.length)
}
