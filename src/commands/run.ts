import { version } from '../../package.json'
import type { Config } from '../config.ts'
import { openDatabase } from '../database/open.ts'
import { type Command, CommandRefused, type Context, program } from './command.ts'
import { fileOutput } from './file-output.ts'
import { helpOf } from './help.ts'
import { askServer } from './operator-socket.ts'

/**
 * Runs the command that these words name, its options among them. Throws CommandRefused, and what the
 * configuration and the database refuse.
 */
export async function run(
  commands: readonly Command[],
  [name = '', ...words]: readonly string[],
  readConfig: () => Config,
): Promise<void> {
  if (['help', '--help'].includes(name)) return console.log(helpOf(commands))
  if (['version', '--version'].includes(name)) return console.log(version)
  const command = commands.find((command) => command.name === name)
  if (command === undefined) throw new CommandRefused(`there is no such command.\n\n${helpOf(commands)}`)
  if (words.includes('--help')) return console.log(`${command.summary}\n\nUsage: ${command.usage}`)

  const args = words.filter((word) => word !== '--yes')
  const task = command.prepare(args)
  if ('alone' in task) return await task.alone({ readConfig })
  if (task.question !== undefined && !words.includes('--yes')) ask(task.question)

  const config = readConfig()
  const print: Context['output'] = async (chunk) => void (await Bun.write(Bun.stdout, chunk))
  const output = task.printsFile ? fileOutput(`${program} ${name}`, print) : print
  if (config.databaseUrl === null) {
    if (await askServer(config.dataDir, [name, ...args], output)) return
    if (task.makesDatabase !== true) await refuseWithoutDatabase(config)
  }
  // What a command reads is the primary's, and it works whatever has become of the standbys.
  const db = await openDatabase({ ...config, databaseReadUrl: null }, (news) => console.error(news))
  try {
    await db.migrated
    await task.withDatabase({ db, config, output })
  } finally {
    await db.close()
  }
}

function ask(question: string): void {
  if (!process.stdin.isTTY) throw new CommandRefused(`${question} Nobody can answer here: add --yes`)
  if (!confirm(question)) throw new CommandRefused('nothing was changed')
}

/** Opening an empty directory would make a database in it. */
async function refuseWithoutDatabase({ dataDir }: Config): Promise<void> {
  if (await Bun.file(`${dataDir}/postgres/PG_VERSION`).exists()) return
  throw new CommandRefused(
    `there is no database in "${dataDir}": set the DATA_DIR of the service (${program} serve makes one)`,
  )
}
