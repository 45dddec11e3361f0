import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Category, categories, categoryOf, isCategory, isOtherWork } from '../../src/domain/category.ts'
import { payloadIn } from '../fixtures/files.ts'

/** The category of each message, by the rule that decides. */
const tables: Readonly<Record<string, Readonly<Partial<Record<Category | 'none', readonly string[]>>>>> = {
  type: {
    feature: [
      ...['feat: dark mode', 'New feature: dark mode', 'feat(api)!: drop v1', 'feat!(api): drop v1'],
      'FEAT: loud',
    ],
    bug_fix: ['fix: crash on start', 'fix(api): crash on start', 'Bug fix: crash', 'bug-fix: crash'],
    performance_improvement: ['perf: cache the index', 'Performance improvement: cache the index'],
    styling_change: ['style: rounder buttons', 'styling change: rounder buttons', 'ui: rounder buttons'],
  },
  'other work': {
    none: [
      ...['docs: add a page', 'chore(deps): fix the lockfile', 'ci: speed up', 'refactor!: add a layer'],
      ...['✨ chore: tidy', ':bug: docs: typo', '📝 Add a page to the manual', ':memo: Add a page'],
      ...['⬆️ Fix the version of next', '[docs] Add a page'],
    ],
  },
  gitmoji: {
    feature: [
      ...['✨Dark mode', ':sparkles: Dark mode', ':Sparkles: Dark mode', '🚀✨ Dark mode'],
      ...['🚀 :sparkles: Dark mode', '👩🏽‍💻 ✨ Dark mode', '🇸🇪 ✨ Swedish', '  ✨ Dark mode'],
    ],
    bug_fix: ['🐛 Crash on start', ':bug: Crash on start', '🚑️ Crash on start'],
    performance_improvement: ['⚡️ Cache the index', ':zap: Cache the index'],
    styling_change: ['💄 Rounder buttons', '💄 Fix the padding'],
  },
  'a type wins over a gitmoji': {
    bug_fix: ['✨ fix: crash', '🎉: fix: crash', '⚡️ fix: crash'],
    feature: [':tada: feat: routes'],
    styling_change: ['💄style: rounder'],
  },
  verb: {
    bug_fix: [
      'fixes #458',
      '[fix] crash',
      'fix(sanitizer) (#661)',
      'Resolve a deadlock',
      '🔧 fix array parser',
    ],
    feature: ['Add dark mode', 'Added: dark mode', '🚀 Add dark mode'],
    performance_improvement: ['Speed up the search', 'Improve performance of the search'],
    styling_change: ['Redesign the feed'],
  },
  'what was merged': {
    bug_fix: [
      'Merge pull request #12 from ada/x\n\nfix: dates',
      "Merge branch 'x' into 'main'\n\n🐛 Dates\n\nSee merge request a/b!12",
      'Merged in ada/x (pull request #12)\n\nFix dates',
    ],
    none: ['Merge accounts\n\nfix: dates', "Merge branch 'main' into x\n\n# Conflicts:\n#\tfix.ts"],
  },
  'nothing tells': {
    none: [
      // The bandage in "mending heart" does not count as a bandage.
      ...['', '🚀', '🚀 Version 2.1', ':rocket: deployed', 'Deployed to production', 'Bump next from 1 to 2'],
      ...['Fixed-width font for code', 'Add-on store', 'Address book', 'Speed limits'],
      ...['Feature/add missing punctuation', 'Not a fix: crash', 'Deployed ✨', '🚀\nfix: crash'],
      ...['🚀\rfix: crash', '❤️‍🩹 Get well', 'http://example.com/feat: x'],
    ],
  },
}

/** Whole messages of commits, each with its page. */
const commits =
  await payloadIn<
    Record<Category | 'none', readonly { readonly source: string; readonly message: string }[]>
  >('messages/categories.json')

describe.each(Object.entries(commits))('%s is the category of', (category, ofCategory) => {
  test.each(ofCategory)('$source', ({ message }) => {
    expect(categoryOf(message) ?? 'none').toBe(category as Category | 'none')
  })
})

describe('the category of a message', () => {
  test.each(Object.entries(tables))('follows the rule: %s', (_, table) => {
    for (const [category, messages] of Object.entries(table)) {
      for (const message of messages)
        expect([message, categoryOf(message) ?? 'none']).toEqual([message, category])
    }
  })

  test.each([
    ...['chore: tidy', 'docs(api): say more', '✨ ci: run less', '📝 Add a page'].map(
      (message) => [message, true] as const,
    ),
    ...['Show the weather', '🚀 Version 2.1', 'feat: dark mode', 'Fix a crash', ''].map(
      (message) => [message, false] as const,
    ),
  ])('%s says that it is other work: %p', (message, isOther) => {
    expect(isOtherWork(message)).toBe(isOther)
  })

  test('only the first line that is not blank counts', () => {
    expect(categoryOf('fix: crash\n\nAdd dark mode')).toBe('bug_fix')
    expect(categoryOf('\r\nfix: crash')).toBe('bug_fix')
  })

  test('any text has one of the four categories or none', () => {
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
      const message = text.repeat(4096 / text.length)
      // The shortest of several runs, because other processes share the processor.
      const taken = Array.from({ length: 5 }, () => {
        const started = performance.now()
        categoryOf(message)
        return performance.now() - started
      })
      expect(Math.min(...taken)).toBeLessThan(50)
    },
  )
})

describe('the four categories', () => {
  test('have these labels', () => {
    expect(Object.values(categories)).toEqual([
      'feature',
      'bug fix',
      'performance improvement',
      'styling change',
    ])
  })

  test('are exactly these', () => {
    expect(Object.keys(categories).every(isCategory)).toBeTrue()
    const others = ['bug fix', 'Feature', '', 'toString', '__proto__', null, undefined, 1, {}]
    expect(others.filter(isCategory)).toEqual([])
  })
})
