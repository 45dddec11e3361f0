import { createWriteStream } from 'node:fs'

const maxUnreadBytes = 1_000_000

/**
 * Makes what writes lines to the standard error output and never waits for whoever reads it: what nobody
 * reads is dropped beyond a megabyte, and counted in the next line that gets through.
 */
export function openLog(): (line: string) => void {
  const output = createWriteStream('', { fd: 2 })
  let dropped = 0
  // A reader that is gone is no reason to end.
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
