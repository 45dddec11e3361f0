import { createWriteStream } from 'node:fs'
import { jsonLine } from './log.ts'

const maxUnreadBytes = 1_000_000

/**
 * Makes the function that writes lines to standard error without waiting for the reader. While more than a
 * megabyte is unread, lines are dropped; before the next written line, another one says how many.
 */
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
      output.write(`${jsonLine({ at, level: 'warn', event: 'lines_dropped', lines: dropped })}\n`)
    }
    dropped = 0
    output.write(`${line}\n`)
  }
}
