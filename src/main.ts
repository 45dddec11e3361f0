import { CommandRefused } from './commands/command.ts'
import { run } from './commands/run.ts'
import { commands } from './commands/table.ts'
import { ConfigError, readConfig } from './config.ts'
import { DatabaseUnusable } from './database/errors.ts'
import { serve } from './serve.ts'

const [name = serve.name, ...args] = process.argv.slice(2)

try {
  await run([serve, ...commands], [name, ...args], () => readConfig(process.env))
} catch (error) {
  const isExpected = [ConfigError, DatabaseUnusable, CommandRefused].some((type) => error instanceof type)
  const attempt = name === serve.name ? 'Shipfeed cannot start' : `Shipfeed ${name}`
  console.error(isExpected && error instanceof Error ? `${attempt}: ${error.message}` : error)
  process.exit(1)
}
