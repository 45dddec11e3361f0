import { createWriteStream } from 'node:fs'
import { jsonLine } from './line.ts'

const maxUnreadBytes = 1_000_000

/**
 * Makes the function that writes lines to the standard error output without waiting for its reader: beyond a
 * megabyte unread, lines are dropped, and counted before the next one that gets through.
 */
export function standardError(): (line: string) => void {
  const output = createWriteStream('', { fd: 2 })
  let dropped = 0
  // The process goes on without a reader.
  output.on('error', () => {})

  return (line) => {
    if (output.writableLength > maxUnreadBytes) {
      dropped += 1
      return
    }
    if (dropped > 0) {
      const at = new Date().toISOString()
      output.write(`${jsonLine({ at, level: 'warn', event: 'lines_dropped', lines: dropped })}\n`)
    }
    dropped = 0
    output.write(`${line}\n`)
  }
}
