import { commands } from './commands/all-commands.ts'
import { CommandRefused, printable } from './commands/command.ts'
import { run } from './commands/run.ts'
import { readConfig } from './config.ts'
import { DatabaseUnusable, damageIn, messageOf, Unavailable } from './database/errors.ts'
import { serveCommand } from './serve.ts'
import { ConfigError } from './settings-reader.ts'

const [name = serveCommand.name, ...args] = process.argv.slice(2)

try {
  await run([serveCommand, ...commands], [name, ...args], () => readConfig(process.env))
} catch (thrown) {
  const error = damageIn(thrown) ?? thrown
  const expected = [ConfigError, DatabaseUnusable, CommandRefused, Unavailable]
  const attempt = name === serveCommand.name ? 'Shipfeed cannot start' : `Shipfeed ${name}`
  const isExpected = expected.some((type) => error instanceof type)
  console.error(printable(isExpected ? `${attempt}: ${messageOf(error)}` : Bun.inspect(error)))
  process.exit(1)
}
