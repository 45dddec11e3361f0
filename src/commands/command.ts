import type { Config } from '../config.ts'
import type { Db } from '../database/db.ts'

/** A command of the operator: `shipfeed <name> …`. */
export type Command = {
  readonly name: string
  /** One line for `help`. */
  readonly summary: string
  /** What `--help` prints: the arguments, and an example. */
  readonly usage: string
  /** Reads the arguments, without `--yes`. Throws CommandRefused. */
  prepare(args: readonly string[]): Task
}

/**
 * What a command does. With the database, it works while the service runs: the process that serves runs it
 * where nobody else may open the database (docs/architecture.md#commands). Alone, it opens what it needs.
 */
export type Task =
  | { alone(context: { readonly readConfig: () => Config }): Promise<void> }
  | {
      /** Asked first, about what cannot be undone; `--yes` answers it. */
      readonly question?: string
      /** Whether it may begin with an empty DATA_DIR, in which there is no database yet. */
      readonly makesDatabase?: boolean
      /** What it prints is a file, which is refused to a terminal. */
      readonly printsFile?: true
      withDatabase(context: Context): Promise<void>
    }

export type Context = {
  readonly db: Db
  readonly config: Config
  /** Takes what the command prints; resolves when there is room for more. */
  readonly output: (chunk: string | Uint8Array) => Promise<void>
}

/** A command with a mistake in it. The message says what to do. */
export class CommandRefused extends Error {}

/** What starts Shipfeed here: the binary, or the checkout. */
export const program = Bun.isStandaloneExecutable ? 'shipfeed' : 'npm start --'
