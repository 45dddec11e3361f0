import { describe, expect, test } from 'bun:test'
import { badgeWidth, choiceOf, renderBadge } from '../../src/badge/badge.ts'
import { environmentFactsOf, maxEnvironments } from '../../src/badge/environments.ts'
import { statusColours, textOnGround } from '../../src/badge/status.ts'
import { badgeStyles } from '../../src/badge/styles.ts'
import { day, hour } from '../../src/domain/time.ts'
import { contrast } from './contrast.ts'
import { wordsDrawn } from './every-badge.ts'
import { faultInXml } from './well-formed.ts'

const now = new Date('2026-11-28T12:00:00Z')
const commit = 'AbCdEf0123456789'

/** What is live, the newest first: each an hour older than the one before it unless it has an age. */
function live(...all: { environment: string; version?: string; commit?: string; age?: number }[]) {
  return all.map(({ environment, version = null, commit = null, age }, n) => {
    return { environment, version, commit, deployedAt: new Date(now.getTime() - (age ?? n * hour)) }
  })
}

const two = live(
  { environment: 'staging', version: 'v3.2', age: 2 * hour },
  { environment: 'production', version: 'v3.0', age: 12 * day },
)

function drawn(facts: ReturnType<typeof environmentFactsOf>, query = {}): string {
  return renderBadge(facts, choiceOf({ ...query, show: 'environments' }))
}

describe('a badge of environments', () => {
  test.each([
    ['standard', ['staging', 'v3.2', 'production', 'v3.0']],
    ['square', ['staging', 'v3.2', 'production', 'v3.0']],
    ['dot', ['staging v3.2', 'production v3.0']],
  ])('says in the style %s what is live in each, in the colour of its age', (style, words) => {
    const svg = drawn(environmentFactsOf(two, now, null), { style })
    expect(wordsDrawn(svg)).toEqual(words)
    const colours = [...svg.matchAll(/<(?:rect|path|circle) [^>]*fill="([^"]+)"/g)].map(([, fill]) => fill)
    const ofStates = colours.filter((colour) => Object.values(statusColours).includes(colour ?? ''))
    expect(ofStates).toEqual([statusColours.Fresh, statusColours.Quiet])
  })

  test('is named with the state and the age of each', () => {
    const name = 'deployed: staging v3.2, Fresh, 2 hours ago; production v3.0, Quiet, 12 days ago'
    for (const style of badgeStyles) {
      const svg = drawn(environmentFactsOf(two, now, null), { style })
      expect(svg).toContain(`aria-label="${name}"`)
      expect(svg).toContain(`<title>${name}</title>`)
    }
  })

  test('begins with a label only if it is a custom one', () => {
    const words = (style: string) =>
      wordsDrawn(drawn(environmentFactsOf(two, now, null), { style, label: 'eu/1' }))
    expect(badgeStyles.map((style) => words(style)[0])).toEqual(['eu/1', 'eu/1', 'eu/1:'])
    const grounds =
      drawn(environmentFactsOf(two, now, null), { label: 'engine' }).match(/fill="#[^"]+"/g) ?? []
    expect(grounds[0]).not.toBe(grounds[1])
  })

  test('shows the commit where no version fits, and the age without a commit', () => {
    const facts = environmentFactsOf(
      live(
        { environment: 'qa', version: 'v1 beta', commit },
        { environment: 'staging', commit },
        { environment: 'production', version: 'v'.repeat(33) },
      ),
      now,
      null,
    )
    expect(wordsDrawn(drawn(facts, { style: 'dot' }))).toEqual([
      'qa AbCdEf0',
      'staging AbCdEf0',
      'production 2 h ago',
    ])
    expect(drawn(facts)).toContain('; production, Fresh, 2 hours ago"')
  })

  test('names four, those nearest to production first, in the order of a board, and counts the others', () => {
    const all = live(
      ...['pr-2', 'dev', 'test', 'uat', 'staging', 'production'].map((environment) => ({ environment })),
    )
    const words = (n: number) =>
      wordsDrawn(drawn(environmentFactsOf(all.slice(-n), now, null), { style: 'dot' }))
    const names = (n: number) => words(n).map((word) => word.split(' ')[0])
    expect(maxEnvironments).toBe(4)
    expect(names(4)).toEqual(['test', 'uat', 'staging', 'production'])
    expect(names(5)).toEqual(['test', 'uat', 'staging', 'production', '+1'])
    expect(names(6)).toEqual(['test', 'uat', 'staging', 'production', '+2'])
    expect(drawn(environmentFactsOf(all, now, null))).toContain('; 2 more"')
    const previews = Array.from({ length: 104 }, (_, n) => ({ environment: `pr-${n}` }))
    const rest = (count: number) =>
      wordsDrawn(drawn(environmentFactsOf(live(...previews.slice(0, count)), now, null))).at(-1)
    expect([rest(103), rest(104)]).toEqual(['+99', '99+'])
  })

  test('cuts a name that is longer than a label may be, but not for a screen reader', () => {
    const named = (environment: string) =>
      drawn(environmentFactsOf(live({ environment, version: 'v1' }), now, null))
    expect(wordsDrawn(named('e'.repeat(20)))[0]).toBe('e'.repeat(20))
    expect(wordsDrawn(named('e'.repeat(21)))[0]).toBe(`${'e'.repeat(19)}…`)
    expect(named('e'.repeat(64))).toContain(`"deployed: ${'e'.repeat(64)} v1, Fresh`)
  })

  test('is as small, inert and well-formed as the others, and as wide as it says', () => {
    const longest = { version: 'v'.repeat(32) }
    const names = ['W'.repeat(64), 'a._/-Z', 'production', 'x'.repeat(20), 'rest']
    const facts = environmentFactsOf(
      live(...names.map((environment) => ({ environment, ...longest }))),
      now,
      null,
    )
    for (const style of badgeStyles) {
      const svg = drawn(facts, { style, label: 'engine' })
      expect(faultInXml(svg)).toBeNull()
      expect(new TextEncoder().encode(svg).length).toBeLessThan(4096)
      const choice = choiceOf({ style, show: 'environments', label: 'engine' })
      expect(svg).toContain(` width="${badgeWidth(facts, choice)}" height="20" `)
      expect(svg).not.toMatch(/\s(id|class|style|href|xlink:href|on[a-z]+)=|url\(|<!|<\?/i)
    }
  })

  test('of a project without environments, of nobody, and in an outage is like any other', () => {
    expect(wordsDrawn(drawn(environmentFactsOf([], now, null)))).toEqual(['deployed', 'Inactive'])
    expect(wordsDrawn(drawn({ status: 'Unavailable', age: null }))).toEqual(['deployed', 'unavailable'])
  })

  test('has a contrast of 4.5:1 or more in every part', () => {
    const facts = environmentFactsOf(two, now, null)
    const fills = [...drawn(facts, { label: 'engine' }).matchAll(/<(?:rect|path) [^>]*fill="([^"]+)"/g)]
    expect(fills.length).toBe(5)
    for (const [, fill = ''] of fills) expect(contrast(fill, textOnGround)).toBeGreaterThanOrEqual(4.5)
  })

  /** After an intended change: `bun test --update-snapshots test/badge`, then look at the difference. */
  test('is drawn as it was', () => {
    const five = live(
      ...['dev', 'test', 'uat', 'staging'].map((environment, n) => ({ environment, version: `v1.${n}` })),
      { environment: 'production', commit, age: 40 * day },
    )
    for (const style of badgeStyles) {
      for (const [name, all] of Object.entries({ two, five })) {
        expect(drawn(environmentFactsOf(all, now, null), { style })).toMatchSnapshot(`${style}-${name}`)
      }
      const labelled = drawn(environmentFactsOf(two, now, null), { style, label: 'engine' })
      expect(labelled).toMatchSnapshot(`${style}-labelled`)
    }
  })
})
