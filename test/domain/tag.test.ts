import { describe, expect, test } from 'bun:test'
import { readTag, releaseName, saysOnlyVersion } from '../../src/domain/tag.ts'
import { payloadIn } from '../fixtures/files.ts'

type Released = {
  readonly tag: string
  readonly title: string
  readonly repository: string
  readonly release: string | null
}

describe('The tags of a repository', async () => {
  test.each(await payloadIn<Released[]>('messages/tags.json'))('$tag, with the title $title', (released) => {
    const { tag, title, repository, release } = released
    // A title that people wrote for several packages says more than a version, but not which package.
    const isShared = readTag(tag).package !== ''
    expect(saysOnlyVersion(title, tag, repository) || isShared).toBe(release !== null)
    if (release !== null) expect(releaseName(repository, tag)).toBe(release)
  })

  test('are read up to 200 characters', () => {
    const tag = (length: number) => `${'a'.repeat(length - 4)}@1.0`
    expect(readTag(tag(200))).toMatchObject({ number: '1.0' })
    expect(readTag(tag(201))).toEqual({ package: '', number: tag(201) })
    expect(saysOnlyVersion(' '.repeat(1_000_000), 'v1.0', 'engine')).toBe(false)
  })
})
