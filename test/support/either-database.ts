import { join } from 'node:path'
import { createPostgresDatabase, testDatabaseUrl } from './database.ts'

/** A database for a spawned process: the environment that names it, and how to get rid of it. */
type Spawned = { readonly environment: Record<string, string>; drop(): void | Promise<void> }

/** Both databases by their names, each made below a directory when asked for; Postgres where there is one. */
export function eitherDatabase(
  directory: string,
): readonly (readonly [name: string, make: () => Promise<Spawned>])[] {
  return [
    [
      'the embedded database',
      async () => ({ environment: { DATA_DIR: join(directory, 'data') }, drop() {} }),
    ],
    [
      'Postgres (needs TEST_DATABASE_URL)',
      async () => {
        const { url, drop } = await createPostgresDatabase(testDatabaseUrl ?? '')
        return { environment: { DATABASE_URL: url }, drop }
      },
    ],
  ]
}
