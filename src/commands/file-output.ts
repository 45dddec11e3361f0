import { CommandRefused, type Context } from './command.ts'

const tellEveryMs = 5_000

/** Wraps the output of a command that makes a file: refuses a terminal, and tells there how far it is. */
export function fileOutput(name: string, output: Context['output']): Context['output'] {
  if (process.stdout.isTTY) throw new CommandRefused(`it writes no text: say where to, ${name} > file`)
  let megabytes = 0
  let toldAt = performance.now()
  return async (chunk) => {
    await output(chunk)
    megabytes += chunk.length / 1e6
    if (performance.now() - toldAt < tellEveryMs) return
    toldAt = performance.now()
    console.error(`${megabytes.toFixed(1)} MB so far …`)
  }
}
