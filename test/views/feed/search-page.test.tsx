import { expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import { mostCounted, parseSearch } from '../../../src/domain/search/question.ts'
import { SearchSummary } from '../../../src/views/feed/search-page.tsx'
import { textOf } from '../../support/markup.ts'

test.each([
  [{ found: 1, isAll: true }, '1 deployment with'],
  [{ found: mostCounted, isAll: true }, '1,000 deployments with'],
  [{ found: mostCounted + 1, isAll: false }, '1,000+ deployments with'],
  [{ found: mostCounted, isAll: false }, '1,000+ deployments with'],
  [{ found: 1, isAll: false }, '1+ deployments with'],
  [null, 'Deployments with'],
])('of %p it says "%s"', (count, said) => {
  const parsed = parseSearch('cache')
  if (parsed?.outcome !== 'parsed') throw new Error('It is a search')
  const summary = <SearchSummary asked={parsed.question} count={count} />
  expect(textOf(summary, '.reading')).toStartWith(`${said} “cache”`)
})
