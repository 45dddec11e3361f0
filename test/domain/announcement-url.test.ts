import { describe, expect, test } from 'bun:test'
import { parseAnnouncement } from '../../src/domain/announcement.ts'

describe('a url', () => {
  test.each([
    'https://github.com/ada/engine/commit/1f2e3d',
    'HTTP://Example.COM:8080/a?b=c@d#e@f',
    'https://example.com',
    'https://example.com/@ada',
    'https://bücher.example/straße',
    'http://127.0.0.1:3000/',
    'http://[::1]/',
  ])('%s is echoed as it was sent', (url) => expect(echoOf(url)).toBe(url))

  test.each([undefined, null, ''])('%p means that there is none', (url) => expect(echoOf(url)).toBeNull())

  const prefix = 'https://example.com/'
  test('of 2,048 characters is taken, one more is refused', () => {
    const longest = prefix + '🚀'.repeat(2048 - prefix.length)
    expect(echoOf(longest)).toBe(longest)
    expect(urlReasons(`${longest}a`)).toEqual(['must be at most 2048 characters (these are 2049)'])
  })

  test.each([
    ['must start with http:// or https://', 'example.com'],
    ['must start with http:// or https://', 'javascript:alert(1)'],
    ['must start with http:// or https://', 'javascript://example.com/%0aalert(1)'],
    ['must start with http:// or https://', 'data:text/html,hi'],
    ['must start with http:// or https://', 'ftp://example.com'],
    ['must start with http:// or https://', '//example.com'],
    ['must start with http:// or https://', '/relative'],
    ['must start with http:// or https://', 'http:example.com'],
    ['must start with http:// or https://', 'https:\\\\example.com'],
    ['must start with http:// or https://', 'https:///example.com'],
    ['must be a valid URL', 'https://'],
    ['must be a valid URL', 'https://?q'],
    ['must be a valid URL', 'https://example.com:99999'],
    ['must be a valid URL', 'https://exa<mple.com'],
    ["can't contain a username or password", 'https://ada@example.com'],
    ["can't contain a username or password", 'https://ada:secret@example.com/'],
    ["can't contain a username or password", 'https://:@example.com/'],
    ["can't contain a username or password", 'https://@example.com/'],
    ["can't contain a username or password", 'https://github.com@evil.example/'],
    ["can't contain spaces or control characters", ' https://example.com'],
    ["can't contain spaces or control characters", 'https://example.com/a b'],
    ["can't contain spaces or control characters", 'https://example.com\n'],
    ["can't contain spaces or control characters", 'java\tscript:alert(1)'],
    ["can't contain spaces or control characters", 'https://example.com/\0'],
    ["can't contain spaces or control characters", 'https://example.com/\u007f'],
    ["can't contain spaces or control characters", 'https://example.com/\u202egnp.exe'],
    ["can't contain spaces or control characters", '   '],
    ["can't contain half a surrogate pair: send well-formed Unicode", 'https://example.com/\ud83d'],
  ])('%s: %j', (reason, url) => expect(urlReasons(url)).toEqual([reason]))
})

function echoOf(url: unknown) {
  const result = parseAnnouncement({ message: 'fine', url })
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.reasons)}`)
  return result.announcement.url
}

function urlReasons(url: string) {
  const result = parseAnnouncement({ message: 'fine', url })
  return result.ok ? [] : result.reasons.url
}
