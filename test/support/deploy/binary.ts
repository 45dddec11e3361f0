import { join } from 'node:path'
import { $ } from 'bun'
import { temporaryDirectory } from '../process.ts'

const root = join(import.meta.dir, '../../..')
let built: { readonly path: Promise<string>; remove(): void } | null = null

/** The path of the one binary, built once for all tests of a file. */
export function binary(): Promise<string> {
  built ??= build()
  return built.path
}

/** Called by the preload after each file. */
export function removeBinary(): void {
  built?.remove()
  built = null
}

function build(): typeof built & {} {
  const directory = temporaryDirectory()
  const path = join(directory.path, 'shipfeed')
  const finished = $`npm run build -- --outfile ${path}`.cwd(root).quiet()
  return { path: finished.then(() => path), remove: directory.remove }
}
