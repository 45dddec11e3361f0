import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../database/errors.ts'
import { syncFile } from '../database/local/creation.ts'
import { CommandRefused, type Output } from './command.ts'

/** Only the owner may read the file, which gets its name once it is complete and on disk. A failure leaves nothing. */
export async function writeWhole(
  path: string,
  fill: (write: Output) => Promise<void>,
  unfinished = `${path}.unfinished`,
): Promise<void> {
  rmSync(unfinished, { force: true })
  const file = openSync(unfinished, 'wx', 0o600)
  try {
    await fill(async (chunk) => writeFileSync(file, chunk))
    fsyncSync(file)
    renameSync(unfinished, path)
    syncFile(dirname(path))
  } finally {
    closeSync(file)
    rmSync(unfinished, { force: true })
  }
}

/** Writes to the file that the operator named. Throws CommandRefused if it cannot be written. */
export async function writeNamed(path: string, fill: (write: Output) => Promise<void>): Promise<void> {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there?.isFile() === false) throw new CommandRefused(`"${path}" is not a file: choose another name`)
  try {
    await writeWhole(path, (write) => fill(withProgress(write)))
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'path' in error)) throw error
    throw new CommandRefused(`"${path}" cannot be written (${codeOf(error)}): choose another name`)
  }
}

const reportEveryMs = 5_000

export function withProgress(output: Output): Output {
  let megabytes = 0
  let reportedAt = performance.now()
  return async (chunk) => {
    await output(chunk)
    megabytes += chunk.length / 1e6
    if (performance.now() - reportedAt < reportEveryMs) return
    reportedAt = performance.now()
    console.error(`${megabytes.toFixed(1)} MB written …`)
  }
}
