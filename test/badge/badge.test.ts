import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { renderBadge, styleNamed } from '../../src/badge/badge.ts'
import { everyBadge, statuses, styles, wordOfStatus, wordsDrawn } from './every-badge.ts'
import { faultInXml } from './well-formed.ts'

const drawingTags = ['<svg', '</svg', '<title', '</title', '<rect', '<path', '<circle', '<text', '</text']

describe('a badge', () => {
  test.each(statuses)('says "deployed" and the status by its name: %s', (status) => {
    const word = wordOfStatus[status]
    expect(wordsDrawn(renderBadge({ status, style: 'standard', age: null }))).toEqual(['deployed', word])
    expect(wordsDrawn(renderBadge({ status, style: 'square', age: null }))).toEqual(['deployed', word])
    expect(wordsDrawn(renderBadge({ status, style: 'dot', age: null }))).toEqual([word])
  })

  test.each(styles)('names itself with its age, in the title and for a screen reader: %s', (style) => {
    const svg = renderBadge({ status: 'Fresh', style, age: '3 hours ago' })
    expect(svg).toContain('role="img" aria-label="deployed: Fresh, 3 hours ago">')
    expect(svg).toContain('<title>deployed: Fresh, 3 hours ago</title>')
  })

  test('names itself without an age where there is none', () => {
    const svg = renderBadge({ status: 'Unknown', style: 'standard', age: null })
    expect(svg).toContain('aria-label="deployed: unknown">')
    expect(svg).toContain('<title>deployed: unknown</title>')
  })

  test('writes markup in the age as text, once', () => {
    const svg = renderBadge({ status: 'Fresh', style: 'dot', age: `<b a="1" c='2'>&amp;` })
    expect(svg).toContain('<title>deployed: Fresh, &#60;b a=&#34;1&#34; c=&#39;2&#39;&#62;&#38;amp;</title>')
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

  test('is well-formed XML whatever the age says', () => {
    const anyBadge = fc.record({
      status: fc.constantFrom(...statuses),
      style: fc.constantFrom(...styles),
      age: fc.option(fc.oneof(fc.string({ unit: 'binary' }), hostileText), { nil: null }),
    })
    fc.assert(
      fc.property(anyBadge, (badge) => {
        expect(faultInXml(renderBadge(badge))).toBeNull()
      }),
      { numRuns: 1000 },
    )
  })

  test.each(styles)('never looks like one of another status: %s', (style) => {
    const badges = everyBadge.filter((badge) => badge.style === style)
    expect(new Set(badges.map(({ svg }) => wordsDrawn(svg).at(-1))).size).toBe(statuses.length)
    expect(new Set(badges.map(({ svg }) => pictureOf(svg))).size).toBe(statuses.length)
    expect(new Set(badges.map(({ svg }) => groundsOf(svg))).size).toBe(statuses.length)
  })
})

/** After a change that is meant: `bun test --update-snapshots test/badge`, then look at the difference. */
test('every badge is drawn as it was', () => {
  for (const { name, svg } of everyBadge) expect(svg).toMatchSnapshot(name)
})

describe('a style', () => {
  test('is found by its name, and standard for any other', () => {
    expect(styles.map(styleNamed)).toEqual([...styles])
    const others = [null, undefined, '', 'flat', 'Square', ' dot', 'toString', '__proto__']
    expect(others.map(styleNamed)).toEqual(others.map(() => 'standard'))
  })
})

const hostileText = fc
  .array(fc.constantFrom(...'<>&"\'\0\u0001\n\uD800\uFFFEx', ']]>', '<!--', '&amp;'))
  .map((parts) => parts.join(''))

/** What is drawn, without the name. */
function pictureOf(svg: string): string {
  return svg.slice(svg.indexOf('</title>'))
}

/** What is drawn in colour, without the words. */
function groundsOf(svg: string): string {
  return [...pictureOf(svg).matchAll(/<(?:rect|path|circle) [^>]*(fill="[^"]*")/g)]
    .map(([, fill]) => fill)
    .join(' ')
}
