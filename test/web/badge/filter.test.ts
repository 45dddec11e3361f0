import { describe, expect, test } from 'bun:test'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

async function statusOf(poster: Poster, filter: string): Promise<string> {
  const path = `/badge/${poster.username}.svg?url=${encodeURIComponent(filter)}`
  const response = await service.fetch(path)
  expect([filter.slice(0, 50), response.status]).toEqual([filter.slice(0, 50), 200])
  const image = await response.text()
  return /aria-label="deployed: (\w+)/.exec(image)?.[1] ?? image
}

/** What is posted, then the filters that match it, and those that do not. */
const cases: readonly (readonly [url: string, matching: readonly string[], others: readonly string[]])[] = [
  [
    'https://example.com/',
    [
      'example.com',
      'EXAMPLE.Com',
      'www.example.com',
      'example.com:8443',
      'example.com.',
      'https://example.com',
      'http://www.example.com:80/',
      ' example.com ',
      'com',
      '',
    ],
    [
      'app.example.com',
      'xample.com',
      'example.co',
      'notexample.com',
      'example.com/a',
      'example.com.evil.test',
    ],
  ],
  [
    'https://app.eu.example.com:8443/changelog#top',
    [
      'app.eu.example.com',
      'eu.example.com',
      'example.com',
      'example.com/changelog',
      'eu.example.com/changelog/',
    ],
    ['app.example.com', 'pp.eu.example.com', 'example.com/change', 'example.com/changelog/1'],
  ],
  [
    'https://www.GitHub.com/Ada/Engine/pull/412?diff=split',
    [
      'github.com/ada/engine',
      'github.com/ADA',
      'https://github.com/ada/engine/',
      'github.com/ada/engine/pull/412',
      'https://github.com/ada/engine/pull/412?diff=unified#files',
    ],
    [
      'github.com/ad',
      'github.com/ada/eng',
      'github.com/engine',
      'github.com/ada/engine2',
      'gist.github.com/ada',
    ],
  ],
  [
    'https://bücher.example/ä',
    ['bücher.example', 'xn--bcher-kva.example', 'BÜCHER.example/%C3%A4'],
    ['bucher.example'],
  ],
  ['https://xn--bcher-kva.example/', ['bücher.example'], ['xn--bcher.example']],
  ['http://192.168.0.7:3000/a', ['192.168.0.7', '192.168.0.7/a'], ['168.0.7', '0.7', '7']],
  ['http://[::1]:3000/a', ['[::1]', 'http://[::1]/a'], ['::1/b', '1']],
  ['http://localhost/', ['localhost'], ['host']],
]

describe('?url=', () => {
  test.each(cases)('%s matches what it points at, and nothing else', async (url, matching, others) => {
    const poster = await signUpPoster(service)
    expect((await poster.announce({ message: 'x', url })).status).toBe(201)
    for (const filter of matching) expect([filter, await statusOf(poster, filter)]).toEqual([filter, 'Fresh'])
    for (const filter of others)
      expect([filter, await statusOf(poster, filter)]).toEqual([filter, 'Inactive'])
  })

  test('a deployment without a link counts for no filter', async () => {
    const poster = await signUpPoster(service)
    await poster.announce({ message: 'x' })
    expect(await statusOf(poster, 'example.com')).toBe('Inactive')
    expect(await statusOf(poster, '')).toBe('Fresh')
  })

  test.each([
    ['a wildcard of SQL', '%'],
    ['another', '_______.___'],
    ['one that would match', 'exampl_.com'],
    ['a quote', "example.com' or '1'='1"],
    ['NUL', '\0'],
    ['NUL inside', 'exam\0ple.com'],
    ['5 kB', `${'a'.repeat(5_000)}.com`],
    ['5 kB of path', `example.com/${'a/'.repeat(2_500)}`],
    ['a label that is too long', `${'a'.repeat(64)}.example.com`],
    ['another scheme', 'javascript:alert(1)'],
    ['ftp', 'ftp://example.com'],
    ['user information', 'https://ada:pw@example.com'],
    ['spaces', 'a b'],
    ['a broken escape', 'example.com/%zz'],
    ['markup', '<script>alert(1)</script>'],
    ['line breaks', 'a\r\nSet-Cookie: a=b'],
    ['a right-to-left override', 'example.com/\u202e'],
    ['only dots', '...'],
    ['JSON', '{"a":1}'],
  ])('%s is Inactive, and the image repeats none of it', async (_, filter) => {
    const poster = await signUpPoster(service)
    await poster.announce({ message: 'x', url: 'https://example.com' })
    expect(await statusOf(poster, filter)).toBe('Inactive')
    const path = `/badge/${poster.username}.svg?url=`
    const hostile = await (await service.fetch(path + encodeURIComponent(filter))).text()
    expect(hostile).toBe(await (await service.fetch(`${path}nowhere.example`)).text())
  })

  test('a broken escape of the address itself is no 500', async () => {
    const poster = await signUpPoster(service)
    for (const query of ['?url=%zz', '?url=%', '?url=%C0%80', '?url', '?url=a&url=b', '?&&=&url=%F0%9F']) {
      expect([query, (await service.fetch(`/badge/${poster.username}.svg${query}`)).status]).toEqual([
        query,
        200,
      ])
    }
  })
})
