import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { linesIn, withControlPictures } from '../../../src/domain/field-parsing.ts'
import { headlineOf } from '../../../src/domain/message/headline.ts'
import { textIn } from '../../fixtures/files.ts'

describe('the headline of a message', () => {
  test('reads its prefix in the first 500 characters', () => {
    const [fits, longer] = [249, 251].map((emoji) => headlineOf(`${'🚀'.repeat(emoji)}  x`))
    expect([fits?.prefix.length, fits?.subject]).toEqual([500, 'x'])
    expect([longer?.prefix.length, longer?.subject]).toEqual([500, '🚀  x'])
  })

  test.each([
    ['Update typescript', '', 'Update typescript', ''],
    ['feat: saved searches', 'feat: ', 'saved searches', ''],
    ['fix(compress)!: convert ETags (#4848)', 'fix(compress)!: ', 'convert ETags', ' (#4848)'],
    [':wrench: fix: union in query', ':wrench: fix: ', 'union in query', ''],
    ['⬆️ Bump lint-staged (#1932)', '⬆️ ', 'Bump lint-staged', ' (#1932)'],
    ['feat: ✨ Saved searches', 'feat: ✨ ', 'Saved searches', ''],
    ['👩🏽‍💻:tada: Welcome', '👩🏽‍💻:tada: ', 'Welcome', ''],
    ['Security: rotate keys', 'Security: ', 'rotate keys', ''],
    ['https://ada.dev is up', '', 'https://ada.dev is up', ''],
    ['net/http: faster', '', 'net/http: faster', ''],
    ['Two words: no type', '', 'Two words: no type', ''],
    ['Team invitations 🎉', '', 'Team invitations 🎉', ''],
    ['Fix (#12) again', '', 'Fix (#12) again', ''],
    ['fix:', '', 'fix:', ''],
    ['🎉', '', '🎉', ''],
    ['fix: (#12)', '', 'fix: (#12)', ''],
    [' \u200b\n\n  Later \nbody', '', 'Later', ''],
    ['a\u0007b', '', 'a␇b', ''],
    ['\u200b', '', '', ''],
    ['## Release 2.4', '', 'Release 2.4', ''],
    ['#12 again', '', '#12 again', ''],
    ['####### seven', '', '####### seven', ''],
    ['#', '', '#', ''],
    ['Merge pull request #12 from ada/x\n\nfix: dates', 'fix: ', 'dates', ' (#12)'],
    ['Merge pull request #12 from ada/x\n\nDates (#9)', '', 'Dates', ' (#9)'],
    ['Merge pull request #12 from ada/x', '', 'Merge pull request #12 from ada/x', ''],
    [`Merge pull request 'Dates' (#12) from ada/x into main`, '', 'Dates', ' (#12)'],
    ['Merged in ada/x (pull request #12)\n\nDates', '', 'Dates', ' (#12)'],
    [`Merge branch 'x' into 'main'\n\nDates\n\nSee merge request a/b!12`, '', 'Dates', ''],
    ['Merge commit from fork\n\n* Dates', '', 'Dates', ''],
    ['Merge accounts\n\nDates', '', 'Merge accounts', ''],
  ])('of %j is split', (message, prefix, subject, suffix) =>
    expect(headlineOf(message)).toMatchObject({ prefix, subject, suffix }),
  )

  test.each([
    ['one', ''],
    ['one\n\n\n  two\r\n\r\nthree \n\n', '  two\n\nthree '],
    [`one${'\n'.repeat(599)}`, ''],
    ['one\u2028two', 'two'],
    ['\n\none\ntwo', 'two'],
  ])('of %j has the rest as its body', (message, body) => expect(headlineOf(message).body).toBe(body))

  const update = '---\nupdated-dependencies:\n- dependency-name: "x"\n...'
  test.each([
    ['x\n\nbody\n\nSigned-off-by: Ada <a@b>', 'body', 'Signed-off-by: Ada <a@b>'],
    [
      'x\n\nFixes: #1\nReviewed-by: A\n\n\nCo-authored-by: B\n',
      '',
      'Fixes: #1\nReviewed-by: A\n\n\nCo-authored-by: B',
    ],
    [`x\n\nbody\n\n${update}\n\nSigned-off-by: B`, 'body', `${update}\n\nSigned-off-by: B`],
    ['x\nWe thank Signed-off-by: B', 'We thank Signed-off-by: B', ''],
    ['x\n\nbody\nSigned-off-by: B', 'body\nSigned-off-by: B', ''],
    ['x\n\nFixes: #1', 'Fixes: #1', ''],
    ['x\n\nSigned-off-by: B\n\nbody', 'Signed-off-by: B\n\nbody', ''],
    ['Merge pull request #1 from a/b\n\nDates\n\nbody', 'body', 'Merge pull request #1 from a/b'],
  ])('of %j has its trailers apart', (message, body, trailers) => {
    expect(headlineOf(message)).toMatchObject({ body, trailers })
  })

  test.each([
    ['merge-with-conflicts.txt', "Merge branch 'master' into weblate-master-fix", 2],
    [
      'merge-with-old-conflicts.txt',
      "Merge branch 'master' of git://github.com/travis-repos/test-project-1",
      1,
    ],
    [
      'request-with-conflicts.txt',
      'Fix data columns not persisting for PeerDAS due to a `getBlobs` race condition',
      2,
    ],
  ])('of %s has no conflicts', async (file, subject, files) => {
    const headline = headlineOf(await textIn(`messages/${file}`))
    expect(headline.subject).toBe(subject)
    expect(headline.body).not.toContain('onflicts')
    const [first, ...paths] = headline.trailers.split('\n')
    expect(first).toEndWith('Conflicts:')
    expect(paths).toHaveLength(files)
  })

  test.each([
    ["Merge branch 'a'\n\n# Conflicts:\n#\ta.ts", '', '# Conflicts:\n#\ta.ts'],
    ['x\n\n* a\n\n# Conflicts:\n#\ta.ts\n\n* b', '* a\n\n\n* b', '# Conflicts:\n#\ta.ts'],
    // A request that is squashed lists all of its commits.
    [
      'x\n\n* a\n\n# Conflicts:\n#\ta.ts\n#\tb.ts\n\n* b\n\nConflicts:\n\tc.ts',
      '* a\n\n\n* b',
      '# Conflicts:\n#\ta.ts\n#\tb.ts\nConflicts:\n\tc.ts',
    ],
    [
      'Merge pull request #12 from ada/x\n\nDates\n\nbody\n\n# Conflicts:\n#\ta.ts\n\nSigned-off-by: A',
      'body',
      'Merge pull request #12 from ada/x\nSigned-off-by: A\n# Conflicts:\n#\ta.ts',
    ],
  ])('of %j has its conflicts apart', (message, body, trailers) => {
    expect(headlineOf(message)).toMatchObject({ body, trailers })
  })

  test.each([
    ['notes-by-semantic-release.md', '2.12.5', '### Bug Fixes'],
    ['notes-by-release-please.md', '15.11.0', '### Features'],
  ])('of %s has the version, and the changes are below', async (file, version, body) => {
    const headline = headlineOf(await textIn(`messages/${file}`))
    expect(headline.subject).toContain(version)
    expect(headline.body).toStartWith(body)
  })

  test('keeps what only looks like conflicts', () => {
    const text = 'Merge the teams\n\nConflicts:\n- the first one\n- the second one'
    expect(headlineOf('Conflicts:\n\tsrc/a.ts').subject).toBe('Conflicts:')
    expect(headlineOf(text).body).toBe('Conflicts:\n- the first one\n- the second one')
  })

  test('loses no text of any first line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        const line = `x${text.replace(/[\n\r\u2028\u2029]/g, '')}x`
        const { prefix, subject, suffix } = headlineOf(`${line}\nbody`)
        expect(prefix + subject + suffix).toBe(withControlPictures(line))
        expect(linesIn(subject)).toHaveLength(1)
      }),
    )
  })
})
