import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { badgeShows, choiceOf, defaultChoice, renderBadge } from '../../src/badge/badge.ts'
import { shownVersion } from '../../src/badge/facts.ts'
import { badgeStyles } from '../../src/badge/styles.ts'
import { shortAge } from '../../src/domain/time.ts'
import { everyBadge, statuses, wordOfStatus, wordsDrawn } from './every-badge.ts'
import { faultInXml } from './well-formed.ts'

const drawingTags = ['<svg', '</svg', '<title', '</title', '<rect', '<path', '<circle', '<text', '</text']

describe('a badge', () => {
  const anHour = { words: '1 hour ago', short: '1 h ago' }

  test.each(statuses)('says "deployed" and the status by its name: %s', (status) => {
    const drawn = (style: string) => wordsDrawn(renderBadge({ status, age: null }, choiceOf({ style })))
    const word = wordOfStatus[status]
    expect(badgeStyles.map(drawn)).toEqual([['deployed', word], ['deployed', word], [word]])
  })

  test('shows the age if asked to, and "never" without a deployment', () => {
    const drawn = (style: string, age = anHour as typeof anHour | null) => {
      const facts = { status: age === null ? ('Inactive' as const) : ('Fresh' as const), age }
      return wordsDrawn(renderBadge(facts, choiceOf({ style, show: 'age' })))
    }
    const two = ['deployed', '1 h ago']
    expect(badgeStyles.map((style) => drawn(style))).toEqual([two, two, ['1 h ago']])
    expect(badgeStyles.map((style) => drawn(style, null).at(-1))).toEqual(['never', 'never', 'never'])
  })

  test('shows a version that fits, in the colour of the status, and the status if none fits', () => {
    const drawn = (version: string | null) =>
      badgeStyles.map((style) => {
        const facts = { status: 'Warm', age: anHour, version } as const
        return wordsDrawn(renderBadge(facts, choiceOf({ style, show: 'version' }))).at(-1)
      })
    for (const version of ['v2.4.0', '0', '2026.11.22+build_7-rc', 'v'.repeat(32)]) {
      expect(drawn(version)).toEqual([version, version, version])
    }
    for (const version of [null, '', 'v'.repeat(33), 'v1 beta', 'v1/2', '<b>', 'v1\n', 'β', 'v&amp;']) {
      expect(drawn(version)).toEqual(['Warm', 'Warm', 'Warm'])
    }
    const plain = renderBadge({ status: 'Warm', age: anHour }, choiceOf({}))
    const colours = (svg: string) => svg.match(/fill="[^"]+"/g)
    const shown = renderBadge({ status: 'Warm', age: anHour, version: 'v2' }, choiceOf({ show: 'version' }))
    expect(colours(shown)).toEqual(colours(plain))
  })

  test('shows a custom label in place of "deployed", and before the word of a dot', () => {
    const drawn = (style: string) =>
      wordsDrawn(renderBadge({ status: 'Fresh', age: null }, choiceOf({ style, label: 'eu-west/1' })))
    const two = ['eu-west/1', 'Fresh']
    expect(badgeStyles.map(drawn)).toEqual([two, two, ['eu-west/1: Fresh']])
  })

  test.each([
    [{}, 'deployed: Fresh, 1 hour ago'],
    [{ show: 'age' }, 'deployed: Fresh, 1 hour ago'],
    [{ show: 'age', label: 'production' }, 'production: Fresh, 1 hour ago'],
    [{ show: 'version', label: 'production' }, 'production: v2.4.0, Fresh, 1 hour ago'],
  ] as const)('asked for with %p is named "%s", in its title and for a screen reader', (query, name) => {
    for (const style of badgeStyles) {
      const svg = renderBadge(
        { status: 'Fresh', age: anHour, version: 'v2.4.0' },
        choiceOf({ ...query, style }),
      )
      expect(svg).toContain(`role="img" aria-label="${name}">`)
      expect(svg).toContain(`<title>${name}</title>`)
    }
  })

  test('is small, inert and 20 pixels high', () => {
    for (const { svg } of everyBadge) {
      expect(new TextEncoder().encode(svg).length).toBeLessThan(4096)
      expect(svg).toMatch(
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="(\d+)" height="20" viewBox="0 0 \1 20" /,
      )
      expect(svg.match(/<\/?[a-z]+/g)?.filter((tag) => !drawingTags.includes(tag))).toEqual([])
      expect(svg).not.toMatch(/\s(id|class|style|href|xlink:href|on[a-z]+)=|url\(|<!|<\?/i)
    }
  })

  test('is well-formed XML for any requested label and any version, and draws only valid labels', () => {
    const anyQuery = fc.record({
      style: fc.constantFrom(...badgeStyles),
      show: fc.constantFrom(...badgeShows),
      version: fc.oneof(fc.string({ unit: 'binary' }), hostileText, fc.stringMatching(shownVersion)),
      label: fc.oneof(fc.string({ unit: 'binary' }), hostileText, fc.string({ unit: labelLetter })),
    })
    fc.assert(
      fc.property(anyQuery, fc.constantFrom(...statuses), (query, status) => {
        const svg = renderBadge({ status, age: anHour, version: query.version }, choiceOf(query))
        expect(faultInXml(svg)).toBeNull()
        if (!/^[A-Za-z0-9 ._/-]{1,20}$/.test(query.label)) expect(svg).toContain('<title>deployed: ')
      }),
      { numRuns: 1000 },
    )
  })

  test('has a width for every age', () => {
    const now = new Date('2026-11-22T12:00:00Z')
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 43 }), (ms) => {
        const age = { words: '', short: shortAge(new Date(now.getTime() - ms), now) }
        const svg = renderBadge({ status: 'Stale', age }, choiceOf({ show: 'age' }))
        expect(wordsDrawn(svg)).toEqual(['deployed', age.short])
      }),
    )
  })

  test.each(badgeStyles)('never looks like a badge of another status: %s', (style) => {
    const badges = everyBadge.filter(({ choice }) => choice.style === style && choice.show === 'state')
    expect(new Set(badges.map(({ svg }) => wordsDrawn(svg).at(-1))).size).toBe(statuses.length)
    expect(new Set(badges.map(({ svg }) => pictureOf(svg))).size).toBe(statuses.length)
    expect(new Set(badges.map(({ svg }) => groundsOf(svg))).size).toBe(statuses.length)
  })
})

/** After an intended change: `bun test --update-snapshots test/badge`, then look at the difference. */
test('every badge is drawn as it was', () => {
  const drawn = everyBadge.filter(({ choice }) => choice.show === 'state')
  for (const { name, svg } of drawn) expect(svg).toMatchSnapshot(name)
})

describe('the choice that an address makes', () => {
  test('takes the given options, and defaults for the others', () => {
    expect(choiceOf({ style: 'dot', show: 'age', label: 'a' })).toEqual({
      style: 'dot',
      show: 'age',
      label: 'a',
      pre: false,
    })
    const others = [null, undefined, '', 'flat', 'Square', ' dot', 'Age', 'toString', '__proto__']
    for (const other of others) {
      expect(choiceOf({ style: other, show: other, pre: other })).toEqual(defaultChoice)
    }
  })

  test.each([
    ['production', 'production'],
    ['A', 'A'],
    ['Az09 ._/-', 'Az09 ._/-'],
    ['12345678901234567890', '12345678901234567890'],
    ['123456789012345678901', 'deployed'],
    ['', 'deployed'],
    ['   ', 'deployed'],
    ['  two   words ', 'two words'],
    ...['a:b', 'Zürich', 'a&b', '<b>', 'a\n', '🚀', 'a\u202e', 'deployed!'].map((label) => [
      label,
      'deployed',
    ]),
  ] as [string, string][])('reads the label %p as %p', (asked, label) => {
    expect(choiceOf({ label: asked }).label).toBe(label)
  })
})

const labelLetter = fc.constantFrom(...'ABCXYZabcxyz0189 ._/-')

const hostileText = fc
  .array(fc.constantFrom(...'<>&"\'\0\u0001\n\uD800\uFFFEx', ']]>', '<!--', '&amp;'))
  .map((parts) => parts.join(''))

/** The drawing without its accessible name. */
function pictureOf(svg: string): string {
  return svg.slice(svg.indexOf('</title>'))
}

/** The coloured part of the drawing, without the words. */
function groundsOf(svg: string): string {
  return [...pictureOf(svg).matchAll(/<(?:rect|path|circle) [^>]*(fill="[^"]*")/g)]
    .map(([, fill]) => fill)
    .join(' ')
}
