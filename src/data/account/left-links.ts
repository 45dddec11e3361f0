import type { Db } from '../../database/db.ts'
import { type PasswordLink, storePasswordLink } from './password-links.ts'

/**
 * Leaves a link in the data directory, for the process that holds the embedded database, which no second one
 * may open. Whoever can write there is the operator, and a hash gives nobody anything.
 */
export async function leaveLink(dataDir: string, { hash, username, isNew }: PasswordLink): Promise<void> {
  await Bun.write(`${folderIn(dataDir)}/${hash}`, JSON.stringify({ username, isNew }))
}

/** Stores the links that were left in a data directory; whatever else lies there is left alone. */
export async function takeLeftLinks(db: Db, dataDir: string): Promise<void> {
  for (const hash of await namesIn(folderIn(dataDir))) {
    const file = Bun.file(`${folderIn(dataDir)}/${hash}`)
    // Null as well where another request has taken it meanwhile.
    const left: unknown = await file.json().catch(() => null)
    if (!isLink(left)) continue
    const secondsOld = (Date.now() - file.lastModified) / 1000
    await storePasswordLink(db, { hash, ...left }, secondsOld)
    await file.delete().catch(() => {})
  }
}

function isLink(left: unknown): left is Omit<PasswordLink, 'hash'> {
  const { username, isNew } = (left ?? {}) as Record<string, unknown>
  return typeof username === 'string' && typeof isNew === 'boolean'
}

function folderIn(dataDir: string): string {
  return `${dataDir}/password-links`
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await Array.fromAsync(new Bun.Glob('*').scan(folder))
  } catch {
    // Nobody has left one yet.
    return []
  }
}
