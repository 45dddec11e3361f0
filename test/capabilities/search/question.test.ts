import { describe, expect, test } from 'bun:test'
import { maxWords, parseSearch } from '../../../src/capabilities/search/question.ts'
import { textBounds } from '../../../src/domain/text-bounds.ts'

describe('A search is parsed as', () => {
  test.each([
    ['words', 'SKIP  LOCKED', { words: ['skip', 'locked'], username: null, target: null }],
    ['a user', '@Ada', { words: [], username: 'ada', target: null }],
    ['a host', 'GitHub.com', { words: [], username: null, target: { host: 'github.com', path: [] } }],
    [
      'a project, from a pasted link',
      'https://github.com/ada/engine/pull/412',
      { words: [], username: null, target: { host: 'github.com', path: ['ada', 'engine'] } },
    ],
    [
      'all of them',
      '@ada github.com cache',
      { words: ['cache'], username: 'ada', target: { host: 'github.com', path: [] } },
    ],
    [
      'words, if a name is that of a file',
      'package.json',
      { words: ['package', 'json'], username: null, target: null },
    ],
    [
      'a host, if a path follows',
      'ada.sh/x',
      { words: [], username: null, target: { host: 'ada.sh', path: ['x'] } },
    ],
    ['words, if it is a version', 'v2.4.0', { words: ['2.4.0'], username: null, target: null }],
    ['words, if it is not a username', '@-', { words: [], username: null, target: null }],
    ['an environment', 'env:EU/Staging', { words: [], by: { environment: 'eu/staging' } }],
    ['a category', 'Category:bug_fix', { words: [], by: { category: 'bug_fix' }, ofAnyCategory: 'x1' }],
    ['a phrase', '"Hot  cache"', { words: [], phrases: [['hot', 'cache']] }],
    ['a phrase in the quotes of a phone', '“hot cache”', { words: [], phrases: [['hot', 'cache']] }],
    ['no phrase, if it has no words', '"!"', { words: [], phrases: [] }],
    ['a word that is left out', '-draft', { words: [], without: { words: ['draft'], phrases: [] } }],
    ['a phrase that is left out', '-"a b"', { words: [], without: { words: [], phrases: [['a', 'b']] } }],
    [
      'a phrase that is left out, if it is one of several words',
      '-package.json',
      { words: [], without: { words: [], phrases: [['package', 'json']] } },
    ],
    ['words, if it is an option', '--no-mmap', { words: ['no', 'mmap'], without: { words: [] } }],
  ])('%s', (_, asked, read) => {
    const answer = parseSearch(`${asked} x1`)
    expect(answer).toMatchObject({
      outcome: 'parsed',
      question: { text: `${asked} x1`.replaceAll('  ', ' '), ...read, words: [...read.words, 'x1'] },
    })
  })

  test('a phrase, if its end is not typed yet', () => {
    expect(parseSearch('x1 "hot ca')).toMatchObject({ question: { words: ['x1'], phrases: [['hot', 'ca']] } })
  })

  test.each(['env:production', 'category:feature', '"cache"'])('%s alone', (asked) => {
    expect(parseSearch(asked)).toMatchObject({ outcome: 'parsed' })
  })

  test('null, if it is empty', () => {
    expect(parseSearch(' \t')).toBeNull()
  })
})

describe('A search is refused', () => {
  test.each([
    ['with two users', '@ada @grace'],
    ['with two projects', 'github.com gitlab.com'],
    ['with two environments', 'env:staging env:production'],
    ['with two categories', 'category:feature category:bug_fix'],
    ['with an empty environment', 'env: cache'],
    ['with a name that no environment can have', 'env:größe'],
    ['with an unknown category', 'category:bug'],
    ['with a user to leave out', 'cache -@ada'],
    ['with a host to leave out', 'cache -github.com'],
    ['with an environment to leave out', 'cache -env:staging'],
    ['with only what is left out', '-draft'],
    ['with an environment that has no words', 'env:-'],
    ['with nothing to search for', '!!! ✨'],
    [`with more than ${textBounds.question} characters`, 'a'.repeat(textBounds.question + 1)],
    [`with more than ${maxWords} words in phrases and left out`, `"a b c d e f" -"g h i j k l" m`],
    [`with more than ${maxWords} words`, Array.from({ length: maxWords + 1 }, (_, n) => `w${n}`).join(' ')],
  ])('%s', (_, asked) => {
    expect(parseSearch(asked)).toMatchObject({ outcome: 'refused' })
  })

  test('but not at exactly these limits, nor for repetition', () => {
    const words = Array.from({ length: maxWords }, (_, n) => `w${n}`).join(' ')
    for (const asked of [
      'a'.repeat(textBounds.question),
      `${words} ${words}`,
      '@ada @Ada github.com GITHUB.com env:A env:a category:feature category:feature',
      '"a b c d e f" -"g h i j k l"',
    ]) {
      expect(parseSearch(asked)).toMatchObject({ outcome: 'parsed' })
    }
  })
})
