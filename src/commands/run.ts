import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { version } from '../../package.json'
import { hasDatabase } from '../database/local/directory.ts'
import { joinDatabase } from '../database/open.ts'
import { helpOf } from './all-commands.ts'
import {
  argumentsOf,
  type Command,
  CommandRefused,
  type CommandSettings,
  type Output,
  printable,
  program,
} from './command.ts'
import { withProgress, writeNamed } from './output-file.ts'

/** Throws CommandRefused, ConfigError and the database's errors, which main.ts prints before it exits with 1. */
export async function run(
  commands: readonly Command[],
  [name = '', ...words]: readonly string[],
  readSettings: () => CommandSettings,
  reference: (word: string | undefined) => string | null,
): Promise<void> {
  if (['help', '--help'].includes(name)) return console.log(reference(words[0]) ?? helpOf(commands))
  if (['version', '--version'].includes(name)) return console.log(version)
  const command = commands.find((command) => command.name === name)
  if (command === undefined) throw new CommandRefused(unknown(commands, name))
  if (words.includes('--help')) return console.log(`${command.summary}\n\nUsage: ${command.usage}`)

  const typed = words.filter((word) => word !== '--yes')
  const args = argumentsOf(command, typed)
  if ('alone' in command) return await command.alone(readSettings, args)
  const file = command.file?.(args)
  if (file === null && process.stdout.isTTY) {
    throw new CommandRefused(`its output is not text: write it to a file with ${program} ${name} <file>`)
  }
  const settings = readSettings()
  const { config } = settings
  const hasNone = config.databaseUrl === null && !hasDatabase(config.dataDir)
  // Opening an empty directory would create a database in it.
  if (hasNone && command.makesDatabase !== true) {
    throw new CommandRefused(
      `there is no database in "${config.dataDir}": set the DATA_DIR of the service (${program} serve creates one)`,
    )
  }
  const db = await joinDatabase(config, (news) => console.error(news))
  try {
    await db.migrated
    const context = { db, ...settings }
    if (!words.includes('--yes')) await ask(await command.question?.(context, args))
    await deliver(file, (output) => command.withDatabase({ ...context, output }, args))
  } finally {
    await db.close()
  }
}

function unknown(commands: readonly Command[], name: string): string {
  const renamed = commands.find(({ formerName }) => formerName === name)
  if (renamed !== undefined) return `it is called ${renamed.name} now: ${program} ${renamed.name} --help`
  return `there is no such command.\n\n${helpOf(commands)}`
}

async function deliver(
  file: string | null | undefined,
  work: (output: Output) => Promise<void>,
): Promise<void> {
  const print: Output = async (chunk) =>
    void (await Bun.write(Bun.stdout, typeof chunk === 'string' ? printable(chunk) : chunk))
  if (file === undefined) return await work(print)
  if (file === null) return await work(withProgress(print))
  await writeNamed(file, work)
  console.log(`Wrote ${resolve(file)}`)
}

/** Does not use confirm(): it would block this process, and the connection to the database would then seem dead. */
async function ask(question: string | null | undefined): Promise<void> {
  if (!question) return
  if (!process.stdin.isTTY) throw new CommandRefused(`${question} This is not a terminal: confirm with --yes`)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const { promise: closed, resolve: close } = Promise.withResolvers<string>()
  terminal.on('close', () => close(''))
  const answer = await Promise.race([terminal.question(`${printable(question)} [y/N] `), closed])
  terminal.close()
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw new CommandRefused('nothing was changed')
}
