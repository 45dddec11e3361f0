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

/**
 * What is posted, then filters that match it, and those that do not; the others are in domain/target.test.ts.
 */
const cases: readonly (readonly [url: string, matching: readonly string[], others: readonly string[]])[] = [
  [
    'https://app.example.com:8443/changelog#top',
    [
      ...['app.example.com', 'EXAMPLE.com.', 'www.example.com:80', 'app.example.com/changelog/'],
      ...[' example.com ', ''],
    ],
    [
      ...['com', 'pp.example.com', 'example.co', 'example.com/changelog', 'app.example.com/change'],
      'example.com.evil.test',
    ],
  ],
  [
    'https://www.GitHub.com/Ada/Engine/pull/412?diff=split',
    ['github.com/ADA', 'https://github.com/ada/engine/', 'https://github.com/ada/engine/pull/413#files'],
    ['github.com/ad', 'github.com/ada/eng', 'github.com/ada/engine2', 'gist.github.com/ada'],
  ],
  [
    'https://gitlab.com/group/sub/project/-/merge_requests/1',
    ['gitlab.com/group', 'gitlab.com/group/sub', 'gitlab.com/group/sub/project/-/jobs/7'],
    ['gitlab.com/group/project', 'gitlab.com/group/sub/other/-'],
  ],
  [
    `https://long.example/${'🚀'.repeat(1_100)}`,
    ['long.example', 'www.long.example:80'],
    ['long.example/🚀'],
  ],
  ['https://bücher.example/ä', ['xn--bcher-kva.example', 'BÜCHER.example/%C3%A4'], ['bucher.example']],
  ['http://192.168.0.7:3000/a', ['192.168.0.7/a'], ['168.0.7', '7']],
  ['http://[::1]:3000/a', ['http://[::1]/a'], ['::1/b', '1']],
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

  test('that is hostile is Inactive, and the image repeats none of it', async () => {
    const poster = await signUpPoster(service)
    await poster.announce({ message: 'x', url: 'https://example.com' })
    const path = `/badge/${poster.username}.svg?url=`
    const inactive = await (await service.fetch(`${path}nowhere.example`)).text()
    expect(inactive).toContain('Inactive')
    const hostile = [
      ...['%', '_______.___', 'exampl_.com', "example.com' or '1'='1", '\0', 'exam\0ple.com', '{"a":1}'],
      ...[`${'a'.repeat(5_000)}.com`, `example.com/${'a/'.repeat(2_500)}`, `${'a'.repeat(64)}.example.com`],
      ...['javascript:alert(1)', 'ftp://example.com', 'https://ada:pw@example.com', 'a b', 'example.com/%zz'],
      ...['<script>alert(1)</script>', 'a\r\nSet-Cookie: a=b', 'example.com/\u202e', '...'],
    ]
    for (const filter of hostile) {
      const image = await (await service.fetch(path + encodeURIComponent(filter))).text()
      expect([filter, image]).toEqual([filter, inactive])
    }
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
