import { eventLevels, type Level, type LogEvent, levels } from './events.ts'
import { type Facts, jsonLine, readableLine } from './line.ts'

/**
 * Tells the operator that something happened. The facts hold no secret; given as a function, they are made only
 * if the line is written.
 */
export type Log = (event: LogEvent, facts?: Facts | (() => Facts)) => void

type Options = {
  /** The least grave lines that are written. */
  readonly level: Level
  /** Takes the finished lines. */
  readonly write: (line: string) => void
  /** Whether a person reads it at a terminal; a program gets JSON. */
  readonly isTerminal: boolean
}

export function createLog({ level, write, isTerminal }: Options): Log {
  const lineOf = isTerminal ? readableLine : jsonLine
  const written: readonly Level[] = levels.slice(0, levels.indexOf(level) + 1)

  return (event, facts) => {
    const itsLevel = eventLevels[event]
    if (!written.includes(itsLevel)) return
    const told = typeof facts === 'function' ? facts() : facts
    write(lineOf({ at: new Date().toISOString(), level: itsLevel, event, ...told }))
  }
}
