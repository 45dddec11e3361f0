import { cpus, totalmem } from 'node:os'
import { serverVersion } from './postgres-data-set.ts'

/** What was measured on, for the line above the table. */
export async function machine(): Promise<string> {
  const gigabytes = Math.round(totalmem() / 1024 ** 3)
  const versions = `Bun ${Bun.version}, Postgres ${await serverVersion()}`
  return `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${gigabytes} GB; ${versions}; load generator, service and database on the same machine.`
}
