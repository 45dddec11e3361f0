// `npm run test:near`: the tests nearest to what differs from the last commit, or from a revision that is given.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The tests near to some changed files: those that changed, those that import a changed file, and those in the folder
 * of test/ that mirrors its folder of src/. The laws of the house are near to every change.
 */
export function nearest(
  changed: readonly string[],
  tests: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  if (changed.length === 0) return []
  const folders = new Set(
    changed.filter((file) => file.startsWith('src/')).map((file) => dirname(file).replace('src', 'test')),
  )
  // The files of src/ itself are imported by nearly all.
  folders.delete('test')
  const isNear = (test: string, imported: readonly string[]) =>
    test === 'test/architecture.test.ts' ||
    changed.includes(test) ||
    folders.has(dirname(test)) ||
    imported.some((file) => changed.includes(file))
  return [...tests].filter(([test, imported]) => isNear(test, imported)).map(([test]) => test)
}

const root = join(import.meta.dir, '..')

function lines(command: readonly string[]): string[] {
  const { stdout, stderr, success } = Bun.spawnSync([...command], { cwd: root })
  if (!success) throw new Error(stderr.toString())
  return stdout.toString().split('\n').filter(Boolean)
}

function importsOf(file: string): string[] {
  const specifiers = readFileSync(join(root, file), 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)
  return [...specifiers].map(([, path = '']) => join(dirname(file), path))
}

if (import.meta.main) {
  const [revision = 'HEAD'] = process.argv.slice(2)
  const changed = [
    ...lines(['git', 'diff', '--name-only', revision]),
    ...lines(['git', 'ls-files', '--others', '--exclude-standard']),
  ]
  const tests = [...new Bun.Glob('test/**/*.test.{ts,tsx}').scanSync(root)]
  const found = nearest(
    changed.filter((file) => existsSync(join(root, file))),
    new Map(tests.map((file) => [file, importsOf(file)])),
  )
  if (found.length === 0) console.log(`No test is near to what differs from ${revision}: npm test runs all.`)
  else {
    const words = ['run', 'tests', '--timeout', '120000', ...found]
    const running = Bun.spawn([process.execPath, ...words], {
      cwd: root,
      stdio: ['inherit', 'inherit', 'inherit'],
    })
    process.exitCode = await running.exited
  }
}
