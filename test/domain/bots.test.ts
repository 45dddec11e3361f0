import { expect, test } from 'bun:test'
import { isByBot } from '../../src/domain/feed/bots.ts'
import { linesOf, payloadIn } from '../fixtures/files.ts'

const poster = { id: 1, username: 'ada', name: 'Ada' }

test.each(await linesOf('messages/bot-titles.txt'))('%p is by a program', (message) => {
  for (const rest of ['', '\n', '\r\n\r\nMore of it']) {
    expect(isByBot({ poster, message: message + rest })).toBe(true)
  }
})

test.each(await linesOf('messages/other-titles.txt'))('%p is not', (message) => {
  expect(isByBot({ poster, message })).toBe(false)
})

type Change = { readonly source: string; readonly message: string }

/** Whole messages of changes that were merged, each with its page. */
const { byPrograms, byOthers } =
  await payloadIn<Record<'byPrograms' | 'byOthers', readonly Change[]>>('messages/changes.json')

test.each(byPrograms)('a program made $source', ({ message }) => {
  expect(isByBot({ poster, message })).toBe(true)
})

test.each(byOthers)('a person or a release made $source', ({ message }) => {
  expect(isByBot({ poster, message })).toBe(false)
})

test('a long line takes no time', () => {
  for (const message of ['7', ':', ' ', 'a(', '[', 'bump ', 'update a ', '💥'].map((part) =>
    part.repeat(4_000),
  )) {
    const start = performance.now()
    for (let n = 0; n < 100; n += 1) isByBot({ poster, message })
    expect(performance.now() - start).toBeLessThan(1_000)
  }
})
