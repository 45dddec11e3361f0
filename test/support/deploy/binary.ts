import { join } from 'node:path'
import { $ } from 'bun'
import { temporaryDirectory } from '../process.ts'

const root = join(import.meta.dir, '../../..')
const directory = temporaryDirectory()

let built: Promise<string> | null = null

/** The path of the one binary, built once for all tests of this process. */
export function binary(): Promise<string> {
  built ??= build(join(directory.path, 'shipfeed'))
  return built
}

/** Called by the preload when all tests have ended. */
export function removeBinary(): void {
  directory.remove()
}

async function build(path: string): Promise<string> {
  await $`npm run build -- --outfile ${path}`.cwd(root).quiet()
  return path
}
