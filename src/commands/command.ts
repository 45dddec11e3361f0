import type { Config } from '../config.ts'
import type { Db } from '../database/db.ts'

export type Command = {
  readonly name: string
  readonly summary: string
  /** What `--help` prints: the arguments, and an example. */
  readonly usage: string
  /** An operator who types the name of an earlier version learns the new one. */
  readonly formerName?: string
  /** A function reads the arguments, without `--yes`, and throws CommandRefused or Misused. */
  readonly task: Task | ((args: readonly string[]) => Task)
}

/**
 * The work of a command. With `withDatabase` it works while the service runs: the serving process runs it if no other
 * process may open the database (docs/architecture.md#commands). With `alone` it opens what it needs.
 */
export type Task =
  | { alone(context: { readonly readConfig: () => Config }): Promise<void> }
  | {
      /** Asked before work that cannot be undone; `--yes` answers it. Throws CommandRefused. */
      question?(db: Db): Promise<string>
      /** Whether it may create the database in an empty DATA_DIR. */
      readonly makesDatabase?: boolean
      /** The name of the file that the output goes to; null for the standard output, which must not be a terminal. */
      readonly file?: string | null
      withDatabase(context: Context): Promise<void>
    }

export type Context = {
  readonly db: Db
  readonly config: Config
  readonly output: Output
}

/** Resolves when there is room for more. */
export type Output = (chunk: string | Uint8Array) => Promise<void>

/** A command that cannot be run as it was typed. The message says what to do. */
export class CommandRefused extends Error {}

/** Arguments that a command does not take. The message says what it takes, and `taskOf` adds the usage. */
export class Misused extends Error {}

/** How Shipfeed is started here: as a binary, or from the repository. */
export const program = Bun.isStandaloneExecutable ? 'shipfeed' : 'npm start --'

/** The work of a command with these arguments. Throws CommandRefused for any that it does not take. */
export function taskOf({ task, usage }: Command, args: readonly string[]): Task {
  try {
    if (typeof task === 'function') return task(args)
    if (args.length > 0) throw new Misused('it takes no arguments')
    return task
  } catch (error) {
    throw error instanceof Misused ? new CommandRefused(`${error.message}. Usage: ${usage}`) : error
  }
}
