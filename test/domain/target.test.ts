import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { scopeOf, scopesOf, targetOf } from '../../src/domain/target.ts'

describe('a target', () => {
  test.each([
    ['https://github.com/ada/engine', 'github.com', '/ada/engine'],
    ['HTTPS://WWW.GitHub.com:443/Ada/Engine/?tab=readme#top', 'github.com', '/ada/engine'],
    ['github.com', 'github.com', ''],
    ['github.com/', 'github.com', ''],
    ['github.com.', 'github.com', ''],
    ['github.com./ada', 'github.com', '/ada'],
    [' github.com/ada ', 'github.com', '/ada'],
    ['github.com:8443/ada', 'github.com', '/ada'],
    ['github.com?q=1', 'github.com', ''],
    ['localhost:3000/x', 'localhost', '/x'],
    ['www.www.example.com', 'example.com', ''],
    ['wwwexample.com', 'wwwexample.com', ''],
    ['api.www.example.com', 'api.www.example.com', ''],
    ['127.0.0.1:80/a', '127.0.0.1', '/a'],
    ['http://[::1]:3000/a', '[::1]', '/a'],
    ['[2001:DB8::1]', '[2001:db8::1]', ''],
    ['bücher.example', 'xn--bcher-kva.example', ''],
    ['BÜCHER.example', 'xn--bcher-kva.example', ''],
    ['XN--bcher-kva.example', 'xn--bcher-kva.example', ''],
    ['example.com/a//b/', 'example.com', '/a/b'],
    ['example.com/a/./b/../c', 'example.com', '/a/c'],
    ['example.com/%7Eada', 'example.com', '/~ada'],
    ['example.com/a%2Fb', 'example.com', '/a%2fb'],
    ['example.com/a%20b', 'example.com', '/a%20b'],
    ['example.com/a b', 'example.com', '/a%20b'],
    ['example.com/%252e', 'example.com', '/%252e'],
    ['example.com/%', 'example.com', '/%'],
    ['example.com/Ö', 'example.com', '/%c3%b6'],
    ['example.com/%C3%96', 'example.com', '/%c3%b6'],
    ['example.com/%40A:b', 'example.com', '/@a:b'],
    ['example.com/%FF%41', 'example.com', '/%ff%41'],
    ['example.com/straße', 'example.com', '/stra%c3%9fe'],
    ['example.com/1/2/3/4/5/6/7/8', 'example.com', '/1/2/3/4/5/6/7/8'],
    ['example.com/1/2/3/4/5/6/7/8/9', 'example.com', '/1/2/3/4/5/6/7/8'],
  ])('%j is the host %s with the path %j', (text, host, path) =>
    expect(targetOf(text)).toEqual({ host, path }),
  )

  test.each([
    '',
    ' ',
    '/',
    '.',
    'www.',
    'a..b',
    '.example.com',
    'two words',
    'exa<mple.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'mailto:ada@example.com',
    'https://',
    'https://ada@example.com',
    'example.com:99999',
    '256.256.256.256',
    '[::1',
  ])('%j is none', (text) => expect(targetOf(text)).toBeNull())

  test('is at most 2,048 characters long', () => {
    expect(targetOf(`example.com/${'a'.repeat(2036)}`)).not.toBeNull()
    expect(targetOf(`example.com/${'a'.repeat(2037)}`)).toBeNull()
  })

  test('has a host of at most 253 characters', () => {
    expect(targetOf(`${'a.'.repeat(126)}a`)?.host).toHaveLength(253)
    expect(targetOf(`${'a.'.repeat(126)}ab`)).toBeNull()
  })

  test('keeps 1,024 characters of a path, so that no scope is too long for an index', () => {
    expect(targetOf(`example.com/${'a'.repeat(1023)}`)?.path).toHaveLength(1024)
    expect(targetOf(`example.com/${'a'.repeat(1024)}`)?.path).toHaveLength(1024)
    expect(targetOf(`example.com/${'a'.repeat(1022)}/b`)?.path).toHaveLength(1023)
    const longest = scopesOf(targetOf(`${'a.'.repeat(126)}a/${'字'.repeat(1700)}`))
    expect(Math.max(...longest.map((scope) => scope.length))).toBeLessThanOrEqual(253 + 1024)
  })

  test('reads as itself again from its label', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const target = targetOf(url)
        if (target !== null) expect(targetOf(scopeOf(target))).toEqual(target)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const target = targetOf(`example.com/${text}`)
        if (target !== null) expect(targetOf(scopeOf(target))).toEqual(target)
      }),
    )
  })
})
