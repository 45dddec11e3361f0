import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Category, categories, categoryOf, isCategory } from '../../src/domain/category.ts'

type Case = readonly [message: string, category: Category | null]

const byType: Case[] = [
  ['feat: dark mode', 'feature'],
  ['New feature: dark mode', 'feature'],
  ['fix: crash on start', 'bug_fix'],
  ['fix(api): crash on start', 'bug_fix'],
  ['feat(api)!: drop v1', 'feature'],
  ['feat!(api): drop v1', 'feature'],
  ['FEAT: loud', 'feature'],
  ['Bug fix: crash', 'bug_fix'],
  ['bug-fix: crash', 'bug_fix'],
  ['perf: cache the index', 'performance_improvement'],
  ['Performance improvement: cache the index', 'performance_improvement'],
  ['style: rounder buttons', 'styling_change'],
  ['styling change: rounder buttons', 'styling_change'],
  ['ui: rounder buttons', 'styling_change'],
]

const ofNoCategory: Case[] = [
  ['docs: add a page', null],
  ['chore(deps): fix the lockfile', null],
  ['ci: speed up', null],
  ['refactor!: add a layer', null],
  ['✨ chore: tidy', null],
  [':bug: docs: typo', null],
  ['📝 Add a page to the manual', null],
  [':memo: Add a page', null],
  ['⬆️ Fix the version of next', null],
  ['[docs] Add a page', null],
]

const byGitmoji: Case[] = [
  ['✨Dark mode', 'feature'],
  [':sparkles: Dark mode', 'feature'],
  [':Sparkles: Dark mode', 'feature'],
  ['🐛 Crash on start', 'bug_fix'],
  [':bug: Crash on start', 'bug_fix'],
  ['🚑️ Crash on start', 'bug_fix'],
  ['⚡️ Cache the index', 'performance_improvement'],
  [':zap: Cache the index', 'performance_improvement'],
  ['💄 Rounder buttons', 'styling_change'],
  ['💄 Fix the padding', 'styling_change'],
  ['🚀✨ Dark mode', 'feature'],
  ['🚀 :sparkles: Dark mode', 'feature'],
  ['👩🏽‍💻 ✨ Dark mode', 'feature'],
  ['🇸🇪 ✨ Swedish', 'feature'],
  ['  ✨ Dark mode', 'feature'],
]

const typeBeforeGitmoji: Case[] = [
  ['✨ fix: crash', 'bug_fix'],
  [':tada: feat: routes', 'feature'],
  ['💄style: rounder', 'styling_change'],
  ['🎉: fix: crash', 'bug_fix'],
  ['⚡️ fix: crash', 'bug_fix'],
]

const byVerb: Case[] = [
  ['fixes #458', 'bug_fix'],
  ['[fix] crash', 'bug_fix'],
  ['fix(sanitizer) (#661)', 'bug_fix'],
  ['Resolve a deadlock', 'bug_fix'],
  ['Add dark mode', 'feature'],
  ['Added: dark mode', 'feature'],
  ['🚀 Add dark mode', 'feature'],
  ['🔧 fix array parser', 'bug_fix'],
  ['Speed up the search', 'performance_improvement'],
  ['Improve performance of the search', 'performance_improvement'],
  ['Redesign the feed', 'styling_change'],
]

const ofNothing: Case[] = [
  ['', null],
  ['🚀', null],
  ['🚀 Version 2.1', null],
  [':rocket: deployed', null],
  ['Deployed to production', null],
  ['Bump next from 1 to 2', null],
  ['Fixed-width font for code', null],
  ['Add-on store', null],
  ['Address book', null],
  ['Speed limits', null],
  ['Feature/add missing punctuation', null],
  ['Not a fix: crash', null],
  ['Deployed ✨', null],
  ['🚀\nfix: crash', null],
  ['🚀\rfix: crash', null],
  // A mending heart is not the bandage that it is joined with.
  ['❤️‍🩹 Get well', null],
  ['http://example.com/feat: x', null],
]

describe('the category of a message', () => {
  test.each(byType)('type: %j is %p', expectCategory)
  test.each(ofNoCategory)('other work: %j is %p', expectCategory)
  test.each(byGitmoji)('gitmoji: %j is %p', expectCategory)
  test.each(typeBeforeGitmoji)('a type wins over a gitmoji: %j is %p', expectCategory)
  test.each(byVerb)('verb: %j is %p', expectCategory)
  test.each(ofNothing)('nothing tells: %j is %p', expectCategory)

  test('only the first line that is written on tells', () => {
    expect(categoryOf('fix: crash\n\nAdd dark mode')).toBe('bug_fix')
    expect(categoryOf('\r\nfix: crash')).toBe('bug_fix')
  })

  test('any text has one of the four or none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (message) => {
        const category = categoryOf(message)
        return category === null || isCategory(category)
      }),
    )
  })

  test.each([':a', '✨', '✨\u200d', ': ', '(', 'fix(', 'a '])(
    '4 KiB of %j are read in a few milliseconds',
    (text) => {
      const started = performance.now()
      categoryOf(text.repeat(4096 / text.length))
      expect(performance.now() - started).toBeLessThan(50)
    },
  )
})

describe('the four categories', () => {
  test('are labelled in the words of docs/decisions.md#announce', () => {
    expect(Object.values(categories)).toEqual([
      'feature',
      'bug fix',
      'performance improvement',
      'styling change',
    ])
  })

  test.each(Object.keys(categories))('%s is one', (slug) => expect(isCategory(slug)).toBeTrue())
  test.each(['bug fix', 'Feature', '', 'toString', '__proto__', null, undefined, 1, {}])(
    '%p is none',
    (value) => expect(isCategory(value)).toBeFalse(),
  )
})

function expectCategory(message: string, category: Category | null): void {
  expect(categoryOf(message)).toBe(category)
}
