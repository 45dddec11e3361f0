import { describe, expect, test } from 'bun:test'
import { maxQuestionLength, maxWords, parseSearch } from '../../../src/domain/search/question.ts'

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
  ])('%s', (_, asked, read) => {
    const answer = parseSearch(`${asked} x1`)
    expect(answer).toMatchObject({
      outcome: 'parsed',
      question: { text: `${asked} x1`.replaceAll('  ', ' '), ...read, words: [...read.words, 'x1'] },
    })
  })

  test('null, if it is empty', () => {
    expect(parseSearch(' \t')).toBeNull()
  })
})

describe('A search is refused', () => {
  test.each([
    ['with two users', '@ada @grace'],
    ['with two projects', 'github.com gitlab.com'],
    ['with nothing to search for', '!!! ✨'],
    [`with more than ${maxQuestionLength} characters`, 'a'.repeat(maxQuestionLength + 1)],
    [`with more than ${maxWords} words`, Array.from({ length: maxWords + 1 }, (_, n) => `w${n}`).join(' ')],
  ])('%s', (_, asked) => {
    expect(parseSearch(asked)).toMatchObject({ outcome: 'refused' })
  })

  test('but not at exactly these limits, nor for repetition', () => {
    const words = Array.from({ length: maxWords }, (_, n) => `w${n}`).join(' ')
    for (const asked of [
      'a'.repeat(maxQuestionLength),
      `${words} ${words}`,
      '@ada @Ada github.com GITHUB.com',
    ]) {
      expect(parseSearch(asked)).toMatchObject({ outcome: 'parsed' })
    }
  })
})
