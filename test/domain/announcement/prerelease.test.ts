import { describe, expect, test } from 'bun:test'
import { firstRelease, isPrerelease } from '../../../src/domain/announcement/prerelease.ts'
import { textBounds } from '../../../src/domain/text-bounds.ts'

describe('a prerelease', () => {
  test.each([
    ...['v26.0.0-beta.1', '1.0.0-alpha', '1.0.0-0.3.7', '1.0.0-x-y-z.--', 'V1.0.0-rc.1', '1.0.0-SNAPSHOT'],
    // Build metadata after it changes nothing.
    ...['1.0.0-rc.1+build.5', '1.0.0-beta+exp.sha-5114f85'],
    // Commits after the tag of a prerelease.
    ...['v1.2.3-rc.1-4-gabcdef1', '2026.11.28-beta.1', '2026.01.05-rc.1', '1.0.0-20261128'],
  ])('is %s', (version) => {
    expect(isPrerelease(version)).toBeTrue()
  })

  test.each([
    ...['v25.0.9', '1.0.0', 'v1', 'v1.2', '1.2.3.4', '', 'main', 'v2-beta', '1.2.3rc1', 'engine-1.2.3'],
    ...['1.0.0+sha.5114f85', '1.0.0+build-7', '1.0.0-', '1.0.0-rc..1', '1.0.0-rc.', '1.0.0-ü', '1.0.0-rc+'],
    // Commits after the tag of a release.
    ...['v1.2.3-4-gabcdef', 'v1.2.3-14-g2414721abcdef0123456789'],
    // Dates, with the number of a release on that day.
    ...['2026-11-28', '2026.11.28', '2026.11.28-2', 'v2026.11.28-0930', '20261128-rc'],
  ])('is not %s', (version) => {
    expect(isPrerelease(version)).toBeFalse()
  })

  test('is read in a short time, however long the text is', () => {
    const longest = `1.0.0-${'a'.repeat(textBounds.version - 6)}`
    expect(isPrerelease(longest)).toBeTrue()
    expect(isPrerelease(`${longest}a`)).toBeFalse()
    const begunAt = performance.now()
    for (const part of ['-1', '1.', '.a', '-g', '0']) isPrerelease(`1.0.0-${part.repeat(1_000_000)}`)
    expect(performance.now() - begunAt).toBeLessThan(100)
  })
})

test('the first release is the first that is no prerelease, and the first of all if there is none', () => {
  const of = (...versions: (string | null)[]) =>
    firstRelease(versions.map((version) => ({ version })))?.version
  expect(of('2.0.0-rc.2', '2.0.0-rc.1', '1.9.0', '1.8.0')).toBe('1.9.0')
  expect(of('2.0.0-rc.2', null, '1.9.0')).toBeNull()
  expect(of('2.0.0-rc.2', '2.0.0-rc.1')).toBe('2.0.0-rc.2')
  expect(of()).toBeUndefined()
})
