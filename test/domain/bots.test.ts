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

/** What the documentation or code of a program says that it writes; no change that has it was found. */
test.each([
  'Update pre-commit hook psf/black to v24',
  'Pin dependency eslint to 9.0.0',
  'Update ghcr.io/foo/bar digest to abc1234',
  'chore: bump golang from 1.22 to 1.23',
  'chore(deps-dev): bump vitest',
  'fix: upgrade express from 4.17.1 to 4.19.2',
  'Update source file en.json',
  'Added translation using Weblate (Irish)',
  // As in the file, without the prefix of their repository.
  'Update dependency vitest [SECURITY]',
  'Bump github/codeql-action in the github-actions group',
  'Bump github/codeql-action in the github-actions group across 1 directory',
])('%p would be by a program', (message) => expect(isByBot({ poster, message })).toBe(true))

test.each([
  // Near the rules of programs.
  'Update the landing page to the new brand',
  'Update README (minor)',
  'Update actions of the menu (minor)',
  'Update the actions to use names',
  'Update GitHub artifacts',
  'Update dependency list [draft]',
  'Configure Renovate for the monorepo',
  'Bump the limit in the upload group',
  'Bump users in the admin group to ten',
  'Pin the header to the top',
  'Upgrade the database',
  'fix: upgrade path from old accounts',
  'New translations for the docs',
  'Lock files while they are written',
  // With an unusual start.
  '[WIP] Bump',
  '::::::::',
  '💥',
])('%p would not', (message) => expect(isByBot({ poster, message })).toBe(false))

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
