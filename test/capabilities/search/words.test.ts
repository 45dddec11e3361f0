import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { hasAll, wordsIn, wordsOf } from '../../../src/capabilities/search/words.ts'
import { deployment } from '../../views/samples.ts'
import { fieldsOf } from './deployments.ts'

describe('The words of a text are', () => {
  test.each([
    ['without case and accents', 'Fix Größe, Café ĐÀ Й', ['fix', 'große', 'cafe', 'đa', 'и']],
    ['the same however accents are composed', 'latte\u0301 latt\u00e9', ['latte', 'latte']],
    [
      'the parts of an identifier',
      'POLLING_LIMIT `skip-locked` #412',
      ['polling', 'limit', 'skip', 'locked', '412'],
    ],
    ['versions whole, without their v', 'v2.4.0, 2.3: V3', ['2.4.0', '2.3', 'v3']],
    ['the characters of scripts without spaces', '部署OK ひと', ['部', '署', 'ok', 'ひ', 'と']],
    [
      'whole, however many marks are on their letters',
      `Z${'\u0301\u0315'.repeat(9)}al\u05b0\u0301go`,
      ['zal\u05b0go'],
    ],
    ['cut at 24 characters', 'a'.repeat(25), ['a'.repeat(24)]],
    ['none if there is neither a letter nor a digit', '✨ — !?\n\t', []],
  ])('%s', (_, text, words) => {
    expect(wordsIn(text).map(({ word }) => word)).toEqual(words)
  })
})

test('a word has its place in the text', () => {
  const text = '✨ Größe: v2.4.0'
  expect(wordsIn(text).map(({ start, end }) => text.slice(start, end))).toEqual(['Größe', 'v2.4.0'])
  const pieces = [`Z${'\u0301'.repeat(5)}`, `al${'\u0301'.repeat(9)}go`, 'é', `x${'\u0315'.repeat(7)}`]
  const stacked = `— ${pieces.join(' ')}`
  expect(wordsIn(stacked).map(({ start, end }) => stacked.slice(start, end))).toEqual(pieces)
})

test('a text has the same words, whether or not one of them has a letter beyond ASCII', () => {
  const texts = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(' ', 'v1.2.3', 'Fix', '✨', '⚡\ufe0f', '㍃', '⽚', 'Ⓐ', '·'),
    ),
  )
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.join('').toWellFormed()
      const words = wordsIn(text)
      expect(wordsIn(`${text} ж`).slice(0, -1)).toEqual(words)
      const found = wordsOf(deployment({ message: text, url: null }))
      expect([...found]).toEqual([...new Set(words.map(({ word }) => word))])
    }),
    { numRuns: 300 },
  )
})

describe('A deployment is found', () => {
  test.each([
    ['by a word of its message', ['cache'], true],
    ['by the beginning of one, from three characters on', ['cac'], true],
    ['not by fewer characters', ['ca'], false],
    ['by a short word that is whole', ['ui'], true],
    ['by all words that are asked for', ['cache', 'ui'], true],
    ['not by a part of them', ['cache', 'nothing'], false],
    ['by the number in its link', ['412'], true],
    ['not by the beginning of a number', ['41'], false],
    ['by the first digits of a commit', ['1234567'], true],
    ['not by fewer than seven', ['123456'], false],
    ['by the beginning of its version', ['2.4'], true],
    ['by its environment', ['production'], true],
    ['not by the host of its link, which is a filter', ['github'], false],
  ])('%s', (_, asked, isFound) => {
    const deployment = fieldsOf({
      message: 'perf: Cached UI',
      url: 'https://github.com/ada/engine/pull/412',
      environment: 'production',
      version: 'v2.4.0',
      commit: '1234567890',
    })
    expect(hasAll({ words: asked, phrases: [] }, deployment)).toBe(isFound)
  })
})
