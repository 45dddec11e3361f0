import { usernameOf } from '../domain/account/username.ts'
import { type Command, CommandRefused } from './command.ts'

/**
 * The one word that a command takes. Throws CommandRefused for none, or more than it knows: a mistyped option
 * must not be taken for nothing.
 */
export function onlyWord({ name, usage }: Pick<Command, 'name' | 'usage'>, words: readonly string[]): string {
  const [word, ...more] = words
  if (word !== undefined && more.length === 0 && !word.startsWith('-')) return word
  throw new CommandRefused(`${name} takes one word. Usage: ${usage}`)
}

/** The same for a username. */
export function onlyUsername(command: Pick<Command, 'name' | 'usage'>, words: readonly string[]): string {
  const typed = onlyWord(command, words).trim()
  const username = usernameOf(typed)
  if (username === null) throw new CommandRefused(`"${typed}" is not spelled like a username`)
  return username
}
