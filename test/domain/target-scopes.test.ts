import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { everything, scopeOf, scopesOf, type Target, targetOf } from '../../src/domain/target.ts'

describe('the scopes of a target', () => {
  test('of a deployment without a link are everything', () => expect(scopesOf(null)).toEqual([everything]))

  test('of a filter that is none are everything', () => expect(scopeOf(null)).toBe(everything))

  test('are everything, then the host and its parents with every prefix of the path', () => {
    expect(scopesOf({ host: 'api.example.com', path: '/a/b' })).toEqual([
      '',
      'api.example.com',
      'api.example.com/a',
      'api.example.com/a/b',
      'example.com',
      'example.com/a',
      'example.com/a/b',
      'com',
      'com/a',
      'com/a/b',
    ])
  })

  test.each(['127.0.0.1', '[::1]'])('of %s hold no parents', (host) =>
    expect(scopesOf({ host, path: '/a' })).toEqual(['', host, `${host}/a`]),
  )

  test('hold the eight shortest parents of a deep host', () => {
    const scopes = scopesOf({ host: '12.11.10.9.8.7.6.5.4.3.2.a', path: '' })
    expect(scopes).toHaveLength(10)
    expect(scopes[2]).toBe('8.7.6.5.4.3.2.a')
    expect(scopes.at(-1)).toBe('a')
  })

  test('are never more than 82, and none comes twice', () => {
    const scopes = scopesOf(mustBeTarget(`${'a.'.repeat(100)}b/1/2/3/4/5/6/7/8/9`))
    expect(scopes).toHaveLength(82)
    expect(new Set(scopes).size).toBe(82)
  })

  test('hold the scope of a filter exactly when the filter matches', () => {
    let matching = 0
    fc.assert(
      fc.property(link(4, 10), link(2, 2), (deployed, filter) => {
        const expected = matches(deployed, filter)
        if (expected) matching += 1
        expect(scopesOf(mustBeTarget(deployed)).includes(scopeOf(mustBeTarget(filter)))).toBe(expected)
      }),
      { numRuns: 3000 },
    )
    expect(matching).toBeGreaterThan(300)
  })

  test('hold every filter that a deployment was cut down to', () => {
    fc.assert(
      fc.property(link(4, 10), fc.nat(), fc.nat(), (deployed, labels, depth) => {
        const { host, path } = split(deployed)
        const filter =
          host.slice(labels % host.length).join('.') +
          path
            .slice(0, depth % 11)
            .map((s) => `/${s}`)
            .join('')
        expect(scopesOf(mustBeTarget(deployed))).toContain(scopeOf(mustBeTarget(filter)))
      }),
    )
  })
})

/** A link out of so few parts that two of them often match. */
function link(maxLabels: number, maxSegments: number): fc.Arbitrary<string> {
  const label = fc.constantFrom('a', 'A', 'ü', 'Ü', 'xn--tda')
  const segment = fc.constantFrom('x', 'X', 'xy', 'ö', '%C3%96')
  return fc
    .record({
      scheme: fc.constantFrom('', 'http://', 'HTTPS://'),
      www: fc.constantFrom('', 'www.', 'WWW.'),
      labels: fc.array(label, { minLength: 1, maxLength: maxLabels }),
      end: fc.constantFrom('', '.', ':8080', '.:443'),
      path: fc.array(segment, { maxLength: maxSegments }),
      tail: fc.constantFrom('', '/', '?q=/x', '#/y'),
    })
    .map(({ scheme, www, labels, end, path, tail }) => {
      return `${scheme}${www}${labels.join('.')}${end}${path.map((part) => `/${part}`).join('')}${tail}`
    })
}

/** The rule of docs/decisions.md#targets, read off the parts of two links and not off their scopes. */
function matches(deployed: string, filter: string): boolean {
  const [of, wanted] = [split(deployed), split(filter)]
  const offset = of.host.length - wanted.host.length
  const hostMatches = offset >= 0 && wanted.host.every((label, index) => of.host[offset + index] === label)
  const segments = wanted.path.slice(0, 8)
  return hostMatches && segments.every((segment, index) => of.path[index] === segment)
}

function split(text: string): { host: string[]; path: string[] } {
  const [beforeTail = ''] = text
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split(/[?#]/)
  const [authority = '', ...path] = beforeTail.split('/')
  const host = authority
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
    .replace(/^www\./, '')
  return {
    host: host.split('.').map((label) => (label === 'xn--tda' ? 'ü' : label)),
    path: path
      .filter((segment) => segment !== '')
      .map((segment) => decodeURIComponent(segment).toLowerCase()),
  }
}

function mustBeTarget(text: string): Target {
  const target = targetOf(text)
  if (target === null) throw new Error(`no target: ${text}`)
  return target
}
