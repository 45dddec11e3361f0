import { join } from 'node:path'
import { localUrl } from '../../../src/database/local/creation.ts'
import { readPassword } from '../../../src/database/local/password.ts'
import type { Connection } from '../../../src/database/postgres/connection.ts'
import { routeTo } from '../../../src/database/postgres/pooler.ts'
import { lengthySettings } from '../../../src/database/session-settings.ts'

/** A connection to the Postgres that runs on this DATA_DIR, past every rule of the service. */
export function connectTo(dataDir: string): Promise<Connection> {
  const path = join(dataDir, 'postgres')
  return routeTo(localUrl(readPassword(path) ?? '', path)).direct(lengthySettings)
}
