import type { Config } from '../config.ts'
import type { Db } from '../database/db.ts'

/** A command for the operator: `shipfeed <name> …`. */
export type Command = {
  readonly name: string
  /** One line for `help`. */
  readonly summary: string
  /** What `--help` prints: the arguments, and an example. */
  readonly usage: string
  /** Its name in an earlier version, so that an operator who types it learns the new one. */
  readonly formerName?: string
  /** Reads the arguments, without `--yes`. Throws CommandRefused. */
  prepare(args: readonly string[]): Task
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

/** Prints a piece of output. Resolves when there is room for more. */
export type Output = (chunk: string | Uint8Array) => Promise<void>

/** A command that cannot be run as it was typed. The message says what to do. */
export class CommandRefused extends Error {}

/** How Shipfeed is started here: as a binary, or from the repository. */
export const program = Bun.isStandaloneExecutable ? 'shipfeed' : 'npm start --'

/** Refuses arguments of a command that takes none, so that no mistyped option is ignored. Throws CommandRefused. */
export function refuseWords({ usage }: Pick<Command, 'usage'>, words: readonly string[]): void {
  if (words.length > 0) throw new CommandRefused(`it takes no arguments. Usage: ${usage}`)
}
