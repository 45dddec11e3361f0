import { createWriteStream } from 'node:fs'
import { events, type Level, type LogEvent, levels } from './events.ts'

/**
 * Writes an event to the operator's log. The facts must not contain a secret; given as a function, they are
 * computed only if the line is written.
 */
export type Log = (event: LogEvent, facts?: Facts | (() => Facts)) => void

type Options = {
  readonly level: Level
  readonly write: (line: string) => void
  readonly isTerminal: boolean
  /** Called for each event of the level `error`. */
  readonly onError?: ((event: LogEvent) => void) | undefined
}

/** Makes a log that writes the lines of a level and of the more severe ones, for a terminal or as JSON. */
export function createLog({ level, write, isTerminal, onError }: Options): Log {
  const lineOf = isTerminal ? readableLine : (line: Line) => JSON.stringify(line)
  const written: readonly Level[] = levels.slice(0, levels.indexOf(level) + 1)

  return (event, facts) => {
    const [itsLevel] = events[event]
    if (itsLevel === 'error') onError?.(event)
    if (!written.includes(itsLevel)) return
    const computed = typeof facts === 'function' ? facts() : facts
    write(lineOf({ at: new Date().toISOString(), level: itsLevel, event, ...computed }))
  }
}

export type Facts = Readonly<Record<string, unknown>>

type Line = { readonly at: string; readonly level: Level; readonly event: LogEvent } & Facts

/** A line for a terminal: `06:31:02 warn database_lost The database takes no connection`. */
function readableLine({ at, level, event, message, stack, ...facts }: Line): string {
  const words = [at.slice(11, 19), level.padEnd(5), event]
  if (message !== undefined) words.push(harmless(String(message)))
  const given = Object.entries(facts).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) words.push(`${name}=${plain(value)}`)
  const below = stack === undefined ? [] : String(stack).split('\n').map(harmless)
  return [words.join(' '), ...below].join('\n')
}

function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[\x21-\x7e]+$/.test(text) ? text : harmless(JSON.stringify(value))
}

/** Replaces characters that would control the terminal or start a new line. */
function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')
}

/** The facts of an error: its message and, if asked for, its stack. Everything else may contain secrets. */
export function errorFacts(error: unknown, { withStack = false } = {}): { error: string; stack?: string } {
  const cause = causeOf(error)
  if (!(cause instanceof Error)) return { error: String(cause) }
  return { error: cause.message, ...(withStack && cause.stack !== undefined ? { stack: cause.stack } : {}) }
}

/** Drizzle's own message contains the parameters of the statement, such as a password's hash. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? causeOf(error.cause) : error
}

/** A log that writes at most one event a minute, with the number of those left out. `now` gives an instant in ms. */
export function onceAMinute(log: Log, now: () => number = () => performance.now()): Log {
  let quietUntil = Number.NEGATIVE_INFINITY
  let leftOut = 0

  return (event, facts) => {
    const instant = now()
    if (instant < quietUntil) {
      leftOut += 1
      return
    }
    const alikeSinceTheLast = leftOut || undefined
    quietUntil = instant + 60_000
    leftOut = 0
    log(event, { ...(typeof facts === 'function' ? facts() : facts), alikeSinceTheLast })
  }
}

const maxUnreadBytes = 1_000_000

/** Makes the function that writes lines to standard error, and drops them while a megabyte is unread. */
export function standardError(): (line: string) => void {
  const output = createWriteStream('', { fd: 2 })
  let dropped = 0
  // Without a reader, the process continues.
  output.on('error', () => {})

  return (line) => {
    if (output.writableLength > maxUnreadBytes) {
      dropped += 1
      return
    }
    if (dropped > 0) {
      const at = new Date().toISOString()
      const loss: Line = { at, level: 'warn', event: 'lines_dropped', lines: dropped }
      output.write(`${JSON.stringify(loss)}\n`)
    }
    dropped = 0
    output.write(`${line}\n`)
  }
}
