import { describe, expect, test } from 'bun:test'
import { parseAnnouncement } from '../../../src/domain/announcement/announcement.ts'

const echoed = [
  ...['https://github.com/ada/engine/commit/1f2e3d', 'HTTP://Example.COM:8080/a?b=c@d#e@f'],
  ...['https://example.com?u=a@b', 'https://example.com/@ada', 'https://bücher.example/straße'],
  ...['https://xn--r8jz45g.jp', 'https://example.com/%00%zz', 'https://example.com/"><script>', 'http://a'],
  ...['http://127.0.0.1:3000/', 'http://[::1]/'],
]

const refused: Readonly<Record<string, readonly string[]>> = {
  'must start with http:// or https://': [
    ...['example.com', '//example.com', '/relative', 'http:', 'http:example.com'],
    ...['https:\\\\example.com', 'https://\\example.com', 'https:///example.com'],
    ...['javascript:alert(1)', 'JaVaScRiPt://example.com/%0aalert(1)', 'data:text/html,hi'],
    ...['ftp://example.com', 'mailto:ada@example.com', 'file:///etc/passwd'],
    ...['blob:https://example.com/a', 'view-source:https://example.com'],
  ],
  'must start with http:// or https://: send the page of the repository, such as https://github.com/ada/engine':
    [...['git@work:ada/engine.git', 'ssh://git@github.com', 'ssh://']],
  'must be a valid URL with a host of at most 253 characters': [
    ...['https://', 'https://?q', 'https://example.com:99999', 'https://exa<mple.com'],
    ...['https://[::1', 'https://%00.example', `https://${'部'.repeat(300)}.example`],
  ],
  "can't contain a username or password": [
    ...['https://ada@example.com', 'https://ada:secret@example.com/', 'https://:secret@example.com'],
    ...['https://:@example.com/', 'https://@example.com/', 'https://github.com@evil.example/'],
  ],
  "can't contain spaces or control characters": [
    ...[' https://example.com', 'https://example.com/a b', 'https://exa mple.com', '   '],
    ...['https://example.com\n', 'java\tscript:alert(1)', 'https://example.com/\0'],
    ...['https://example.com/\u007f', 'https://example.com/\u202egnp.exe'],
  ],
  "can't contain half a surrogate pair: send well-formed Unicode": ['https://example.com/\ud83d'],
}

/** Addresses that git reads, each with the page that is announced. */
const pages: Readonly<Record<string, string>> = {
  'git@github.com:ada/engine.git': 'https://github.com/ada/engine',
  'ada@git.example:ada/sub/engine': 'https://git.example/ada/sub/engine',
  'ssh://git@github.com/ada/engine': 'https://github.com/ada/engine',
  'SSH://git.example:22/engine': 'https://git.example/engine',
  'git://git.example/ada/engine.git': 'https://git.example/ada/engine',
  'git+ssh://git@git.example:2222/ada/engine.git': 'https://git.example/ada/engine',
  'git+https://ada:secret@git.example/ada/engine.git': 'https://git.example/ada/engine',
}

describe('a url', () => {
  test.each(Object.entries(pages))('%s, which only git reads, is the page %s', (address, page) => {
    expect(echoOf(address)).toBe(page)
  })

  test('that only git reads is as long as its page may be', () => {
    const path = 'a'.repeat(2048 - 'https://git.example/'.length)
    expect(echoOf(`git@git.example:${path}`)).toBe(`https://git.example/${path}`)
    expect(urlReasons(`git@git.example:${path}a`)).toEqual([
      'must be at most 2048 characters (these are 2049)',
    ])
  })

  test('is echoed as it was sent', () => expect(echoed.map(echoOf)).toEqual(echoed))

  test('that is missing, null or empty counts as none', () =>
    expect([undefined, null, ''].map(echoOf)).toEqual([null, null, null]))

  test('of 2,048 characters is accepted, of one more refused', () => {
    const longest = `https://example.com/${'🚀'.repeat(2028)}`
    expect(echoOf(longest)).toBe(longest)
    expect(urlReasons(`${longest}a`)).toEqual(['must be at most 2048 characters (these are 2049)'])
  })

  test.each(Object.entries(refused))('%s', (reason, urls) => {
    for (const url of urls) expect([url, urlReasons(url)]).toEqual([url, [reason]])
  })
})

function echoOf(url: unknown) {
  const result = parseAnnouncement({ message: 'fine', url }, { now: new Date() })
  if (result.outcome === 'invalid') throw new Error(`refused: ${JSON.stringify(result.reasons)}`)
  return result.announcement.url
}

function urlReasons(url: string) {
  const result = parseAnnouncement({ message: 'fine', url }, { now: new Date() })
  return result.outcome === 'valid' ? [] : result.reasons.url
}
