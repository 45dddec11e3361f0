import { expect } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { outcomeOf } from '../support/deploy/programs.ts'
import { needing } from '../support/needs/needs.ts'

const root = join(import.meta.dir, '../..')

/** Folders of programs, not of the repository. */
const others = ['.git', 'node_modules']

/** Every shell script of the repository, known by its first line: some have no ending in their name. */
function scripts(): string[] {
  const folders = readdirSync(root, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !others.includes(entry.name),
  )
  const files = folders.flatMap(({ name }) => [
    ...new Bun.Glob(`${name}/**/*`).scanSync({ cwd: root, dot: true }),
  ])
  return files.filter((file) => /^#!.*\b(ba)?sh\n/.test(readFileSync(join(root, file), 'latin1')))
}

needing('shellcheck').test('ShellCheck finds nothing in any script', async () => {
  const files = scripts()
  expect(files).toEqual(expect.arrayContaining(['ci/announce.sh', 'ci/history.sh', '.ci/run', '.ci/bare']))
  const checked = await outcomeOf(['shellcheck', '--severity=style', ...files], { cwd: root })
  expect(checked).toEqual({ code: 0, said: '' })
})
