import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const directory = mkdtempSync(join(tmpdir(), 'shipfeed-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

/** Writes a file that lasts as long as this process, and gives its path. */
export function scratchFile(name: string, text: string): string {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}
