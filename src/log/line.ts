import type { Level, LogEvent } from './events.ts'

export type Facts = Readonly<Record<string, unknown>>

/** One line of the log: when (UTC), how grave, what, and whatever belongs to it. */
export type Line = { readonly at: string; readonly level: Level; readonly event: LogEvent } & Facts

/** For programs: one line of JSON. */
export function jsonLine(line: Line): string {
  return JSON.stringify(line)
}

/** For a person at a terminal: `06:31:02 warn database_lost The database takes no connection`. */
export function readableLine({ at, level, event, message, stack, ...facts }: Line): string {
  const told = Object.entries(facts).filter(([, value]) => value !== undefined)
  const words = [
    at.slice(11, 19),
    level.padEnd(5),
    event,
    ...(message === undefined ? [] : [harmless(String(message))]),
    ...told.map(([name, value]) => `${name}=${plain(value)}`),
  ]
  return (
    words.join(' ') + (stack === undefined ? '' : `\n${String(stack).split('\n').map(harmless).join('\n')}`)
  )
}

function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[\x21-\x7e]+$/.test(text) ? text : harmless(JSON.stringify(value))
}

/** Without what would steer the terminal or begin a line of its own. */
function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')
}
