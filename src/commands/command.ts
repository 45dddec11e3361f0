import type { Config } from '../config.ts'
import type { ServiceSettings } from '../data/service-settings.ts'
import type { TableUse } from '../data/table-uses/table-use.ts'
import type { Db } from '../database/db.ts'
import { withControlPictures } from '../domain/field-parsing.ts'
import type { Finding } from './finding.ts'

/**
 * A command for the operator. With `withDatabase` it runs on the database, also while the service runs
 * (docs/operations.md#commands). With `alone` it opens what it needs.
 */
export type Command<Args = unknown> = {
  readonly name: string
  readonly summary: string
  /** What `--help` prints: the arguments, and an example. */
  readonly usage: string
  /** An operator who types the name of an earlier version learns the new one. */
  readonly formerName?: string
  /** Reads the arguments, without `--yes`, if it takes any. Throws CommandRefused or Misused. */
  read?(words: readonly string[]): Args
} & (
  | { alone(readSettings: () => CommandSettings, args: Args): Promise<void> }
  | {
      /** Asked before work that cannot be undone; `--yes` answers it. Throws CommandRefused. */
      question?(context: Pick<Context, 'db' | 'tables'>, args: Args): Promise<string | null>
      /** Whether it may create the database in an empty DATA_DIR. */
      readonly makesDatabase?: boolean
      /** The file that the output goes to; null for the standard output, which must not be a terminal. */
      file?(args: Args): string | null
      withDatabase(context: Context, args: Args): Promise<void>
    }
)

export type CommandSettings = {
  readonly config: Config
  /** What the service would note if it ran with these settings. */
  readonly service: ServiceSettings
  /** The capabilities that are switched on, with their own lines of `check`. */
  readonly configured: readonly { readonly check?: () => Promise<readonly Finding[]> }[]
  /** Those of a dump. */
  readonly tables: readonly TableUse[]
}

export type Context = CommandSettings & { readonly db: Db; readonly output: Output }

/** Resolves when there is room for more. */
export type Output = (chunk: string | Uint8Array) => Promise<void>

/** A text of several lines as it is printed: no character controls the terminal or turns the text around it. */
export function printable(text: string): string {
  return withControlPictures(text).replace(/[\r\p{Bidi_Control}]/gu, '\uFFFD')
}

/** A line of a table. The last cell needs no width. */
export function tableRow(widths: readonly number[], cells: readonly string[]): string {
  return `${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ')}\n`
}

/** A command that cannot be run as it was typed. The message says what to do. */
export class CommandRefused extends Error {}

/** Arguments that a command does not take. The message says what it takes, and `argumentsOf` adds the usage. */
export class Misused extends Error {}

/** How Shipfeed is started here: as a binary, or from the repository. */
export const program = Bun.isStandaloneExecutable ? 'shipfeed' : 'npm start --'

/** What a command reads from these words. Throws CommandRefused for any that it does not take. */
export function argumentsOf({ read, usage }: Command, words: readonly string[]): unknown {
  try {
    if (read !== undefined) return read(words)
    if (words.length > 0) throw new Misused('it takes no arguments')
  } catch (error) {
    throw error instanceof Misused ? new CommandRefused(`${error.message}. Usage: ${usage}`) : error
  }
}
