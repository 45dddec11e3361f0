import { describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { everyBadge } from './every-badge.ts'

/**
 * golden/ holds the picture of every style and status, looked at by people and compared byte for byte.
 * After a change that is meant: `UPDATE_GOLDEN=1 bun test test/badge/golden.test.ts`, then look at the diff.
 */
const directory = join(import.meta.dir, 'golden')

if (process.env.UPDATE_GOLDEN === '1') {
  await Promise.all(everyBadge.map(({ name, svg }) => Bun.write(join(directory, `${name}.svg`), svg)))
}

describe('golden badges', () => {
  test.each(everyBadge.map(({ name, svg }) => [name, svg]))('%s is drawn as it was', async (name, svg) => {
    expect(svg).toBe(await Bun.file(join(directory, `${name}.svg`)).text())
  })

  test('golden/ holds these pictures and no others', async () => {
    expect((await readdir(directory)).toSorted()).toEqual(
      everyBadge.map(({ name }) => `${name}.svg`).toSorted(),
    )
  })
})
