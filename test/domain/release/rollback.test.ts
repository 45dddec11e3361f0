import { describe, expect, test } from 'bun:test'
import type { Named } from '../../../src/domain/release/release.ts'
import { replacedBy } from '../../../src/domain/release/rollback.ts'

/** Releases in the order in which they came to one environment: the step of the last one. */
function stepOf(...releases: readonly Named[]) {
  const [last = {}, ...earlier] = releases.map((release, id) => ({ id, ...release })).toReversed()
  return replacedBy(last, earlier)?.step ?? null
}

const versions = (...all: readonly string[]) => all.map((version) => ({ version }))
const commits = (...all: readonly string[]) => all.map((commit) => ({ commit }))
const [a, b, c] = ['aaaaaaa', 'bbbbbbb', 'ccccccc']

describe('what a release replaced', () => {
  test.each<[string, readonly Named[], ReturnType<typeof stepOf>]>([
    ['the first', versions('v1'), null],
    ['a new version', versions('v1', 'v2'), 'onward'],
    ['the same version', versions('v1', 'v1'), 'same'],
    ['the same commit, written shorter', commits('aaaaaaa1', 'AAAAAAA'), 'same'],
    ['a rollback', versions('v1', 'v2', 'v1'), 'back'],
    ['a rollback by commits', commits(a as string, b as string, a as string), 'back'],
    ['one by two releases', commits(a as string, b as string, c as string, a as string), 'back'],
    ['one that was announced twice', versions('v1', 'v2', 'v1', 'v1'), 'same'],
    ['what was taken back, again', versions('v1', 'v2', 'v1', 'v2'), 'onward'],
    ['a second rollback', versions('v1', 'v2', 'v1', 'v2', 'v1'), 'back'],
    ['a fix of an older line that was never there', versions('v1.9', 'v2.0', 'v1.9.1'), 'onward'],
    ['a prerelease of what is there', versions('v2.0.0', 'v2.0.0-rc.1'), 'onward'],
    ['something without a version or commit', [{ version: 'v1' }, {}], 'onward'],
    ['a release after something without either', [{ version: 'v1' }, {}, { version: 'v1' }], 'back'],
    ['two without either', [{}, {}], 'onward'],
  ])('%s', (_, releases, step) => expect(stepOf(...releases)).toBe(step))
})
