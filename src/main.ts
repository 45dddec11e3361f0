import { capabilities } from './capabilities.ts'
import { configure } from './capability.ts'
import { commandsOf } from './commands/all-commands.ts'
import { CommandRefused, printable } from './commands/command.ts'
import { partOfReference } from './commands/reference.ts'
import { run } from './commands/run.ts'
import { readConfig } from './config.ts'
import { DatabaseUnusable, damageIn, messageOf, Unavailable } from './database/errors.ts'
import { serveCommand, serveName } from './serve.ts'
import { ConfigError } from './settings-reader.ts'
import { tables } from './table-uses.ts'

const [name = serveName, ...args] = process.argv.slice(2)

try {
  const read = () => ({ ...configure(capabilities, process.env, readConfig(process.env)), tables })
  const commands = [serveCommand(capabilities, read), ...commandsOf(capabilities)]
  await run(commands, [name, ...args], read, (word) => partOfReference(capabilities, word))
} catch (thrown) {
  const error = damageIn(thrown) ?? thrown
  const expected = [ConfigError, DatabaseUnusable, CommandRefused, Unavailable]
  const attempt = name === serveName ? 'Shipfeed cannot start' : `Shipfeed ${name}`
  const isExpected = expected.some((type) => error instanceof type)
  console.error(printable(isExpected ? `${attempt}: ${messageOf(error)}` : Bun.inspect(error)))
  process.exit(1)
}
