import { expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import { SearchSummary } from '../../../src/capabilities/search/page.tsx'
import { maxCounted, parseSearch } from '../../../src/capabilities/search/question.ts'
import { textOf } from '../../support/markup.ts'
import { site } from '../../views/samples.ts'

test.each([
  [{ found: 1, isAll: true }, '1 deployment with'],
  [{ found: maxCounted, isAll: true }, '1,000 deployments with'],
  [{ found: maxCounted + 1, isAll: false }, '1,000+ deployments with'],
  [{ found: maxCounted, isAll: false }, '1,000+ deployments with'],
  [{ found: 1, isAll: false }, '1+ deployments with'],
  [null, 'Deployments with'],
])('of %p it says "%s"', (count, said) => {
  const parsed = parseSearch('cache')
  if (parsed?.outcome !== 'parsed') throw new Error('It is a search')
  const summary = <SearchSummary site={site} asked={parsed.question} count={count} />
  expect(textOf(summary, '.reading')).toStartWith(`${said} “cache”`)
})
