import { createWriteStream } from 'node:fs'

const maxUnreadBytes = 1_000_000

/**
 * Makes the function that writes lines to the standard error output without waiting for its reader: beyond a
 * megabyte unread, lines are dropped, and counted in the next one that gets through.
 */
export function openLog(): (line: string) => void {
  const output = createWriteStream('', { fd: 2 })
  let dropped = 0
  // The process goes on without a reader.
  output.on('error', () => {})

  return (line) => {
    if (output.writableLength > maxUnreadBytes) {
      dropped += 1
      return
    }
    if (dropped > 0) output.write(`${JSON.stringify({ droppedLines: dropped })}\n`)
    dropped = 0
    output.write(`${line}\n`)
  }
}
