import { describe, expect, test } from 'bun:test'
import { maxQuestionLength, maxWords, questionOf } from '../../../src/domain/search/question.ts'

describe('A search is read as', () => {
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
      'words, where a name is of a file',
      'package.json',
      { words: ['package', 'json'], username: null, target: null },
    ],
    [
      'a host, where a path follows',
      'ada.sh/x',
      { words: [], username: null, target: { host: 'ada.sh', path: ['x'] } },
    ],
    ['words, where it is a version', 'v2.4.0', { words: ['2.4.0'], username: null, target: null }],
    ['words, where it is no username', '@-', { words: [], username: null, target: null }],
  ])('%s', (_, asked, read) => {
    const answer = questionOf(`${asked} x1`)
    expect(answer).toMatchObject({
      ok: true,
      question: { text: `${asked} x1`.replaceAll('  ', ' '), ...read, words: [...read.words, 'x1'] },
    })
  })

  test('nothing, where nothing is asked', () => {
    expect(questionOf(' \t')).toEqual({ ok: true, question: null })
  })
})

describe('A search is refused', () => {
  test.each([
    ['with two users', '@ada @grace'],
    ['with two projects', 'github.com gitlab.com'],
    ['with nothing to look for', '!!! ✨'],
    [`with more than ${maxQuestionLength} characters`, 'a'.repeat(maxQuestionLength + 1)],
    [`with more than ${maxWords} words`, Array.from({ length: maxWords + 1 }, (_, n) => `w${n}`).join(' ')],
  ])('%s', (_, asked) => {
    expect(questionOf(asked)).toMatchObject({ ok: false })
  })

  test('but not at these bounds, nor for saying the same twice', () => {
    const words = Array.from({ length: maxWords }, (_, n) => `w${n}`).join(' ')
    for (const asked of [
      'a'.repeat(maxQuestionLength),
      `${words} ${words}`,
      '@ada @Ada github.com GITHUB.com',
    ]) {
      expect(questionOf(asked)).toMatchObject({ ok: true })
    }
  })
})
