import { createApp } from './app.ts'
import { ConfigError, readConfig } from './config.ts'
import { openDatabase } from './data/database.ts'
import { DataDirectoryInUse } from './data/embedded.ts'
import { drainOn } from './drain.ts'

/** Above our own limit of 64 KiB, which answers in JSON; Bun's answer beyond this has no body. */
const maxRequestBodySize = 1024 * 1024

try {
  await start()
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof DataDirectoryInUse
  console.error(isExpected ? `Shipfeed cannot start: ${error.message}` : error)
  process.exit(1)
}

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const db = await openDatabase(config)
  const app = createApp({ db, config, log: console.error })
  app.listen({ hostname: config.host, port: config.port, maxRequestBodySize })
  drainOn(['SIGTERM', 'SIGINT'], { app, db })

  console.log(`Shipfeed listens on ${config.host}:${config.port}, public address ${config.baseUrl}`)
  if (config.databaseUrl === null) {
    console.log(`Its data is in ${config.dataDir} (embedded Postgres; set DATABASE_URL for your own)`)
  } else {
    console.log('Its data is in the Postgres of DATABASE_URL')
  }
  await db.migrated
}
