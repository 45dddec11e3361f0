import { fileURLToPath } from 'node:url'

/** The generated migrations, in order; both drivers run the same. */
export const migrationsFolder = fileURLToPath(new URL('../../drizzle', import.meta.url))
