import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { everything, scopeOf, scopesOf, type Target, targetOf } from '../../src/domain/target.ts'
import { patience } from '../support/eventually.ts'

test.each([
  ['https://github.com/ada/engine', 'github.com/ada/engine'],
  ['HTTPS://WWW.GitHub.com:443/Ada/Engine/?tab=readme#top', 'github.com/ada/engine'],
  ['github.com', 'github.com'],
  ['github.com/', 'github.com'],
  ['github.com.', 'github.com'],
  ['github.com./ada', 'github.com/ada'],
  [' github.com/ada ', 'github.com/ada'],
  ['github.com:8443/ada', 'github.com/ada'],
  ['github.com?q=1', 'github.com'],
  ['localhost:3000/x', 'localhost/x'],
  ['www.www.example.com', 'example.com'],
  ['www.com', 'www.com'],
  ['www.localhost', 'www.localhost'],
  ['wwwexample.com', 'wwwexample.com'],
  ['api.www.example.com', 'api.www.example.com'],
  ['127.0.0.1:80/a', '127.0.0.1/a'],
  ['http://[::1]:3000/a', '[::1]/a'],
  ['[2001:DB8::1]', '[2001:db8::1]'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--bcher-kva.example'],
  ['XN--bcher-kva.example', 'xn--bcher-kva.example'],
  ['example.com/a//b/', 'example.com/a/b'],
  ['example.com/a/./b/../c', 'example.com/a/c'],
  ['example.com/%7Eada', 'example.com/~ada'],
  ['example.com/a%2Fb', 'example.com/a%2fb'],
  ['example.com/a b', 'example.com/a%20b'],
  ['example.com/%252e', 'example.com/%252e'],
  ['example.com/%', 'example.com/%'],
  ['example.com/Ö', 'example.com/%c3%b6'],
  ['example.com/%C3%96', 'example.com/%c3%b6'],
  ['example.com/O\u0308', 'example.com/%c3%b6'],
  [`example.com/z${'\u0301'.repeat(5)}`, `example.com/%c5%ba${'%cc%81'.repeat(3)}`],
  [`example.com/z${'%CC%84'.repeat(5)}a`, `example.com/z${'%cc%84'.repeat(4)}a`],
  [`example.com/z${'\u0344'.repeat(5)}`, `example.com/z${'%cc%88%cc%81'.repeat(2)}`],
  ['example.com/%40A:b', 'example.com/@a:b'],
  ['example.com/%FF%41', 'example.com/%ff%41'],
  ['example.com/straße', 'example.com/stra%c3%9fe'],
])('%j is read as %s', (text, scope) => expect(scopeOf(targetOf(text))).toBe(scope))

describe('the project of a link', () => {
  test.each([
    ['https://github.com/ada/engine/pull/412', 'github.com/ada/engine'],
    ['https://github.com/ada/engine/releases/tag/v1', 'github.com/ada/engine'],
    ['https://github.com/ada/engine/actions/runs/1', 'github.com/ada/engine'],
    ['https://github.com/ada', 'github.com/ada'],
    ['https://bitbucket.org/ada/engine/pull-requests/7', 'bitbucket.org/ada/engine'],
    ['https://git.sr.ht/~ada/engine/commit/abc', 'git.sr.ht/~ada/engine'],
    ['https://git.example.org/kernel/commit/abc', 'git.example.org/kernel'],
    ['https://gitea.example/ada/engine/src/branch/main', 'gitea.example/ada/engine'],
    ['https://gitlab.com/group/project/-/merge_requests/1', 'gitlab.com/group/project'],
    ['https://app.example.com/changelog/2026/11', 'app.example.com/changelog'],
    ['https://app.example.com/commit', 'app.example.com'],
    ['https://shop.example.com/releases/v1', 'shop.example.com'],
    ['https://shop.example.com/eu/releases/v1', 'shop.example.com/eu'],
    ['https://ci.example.com/builds/101', 'ci.example.com'],
    ['https://ci.example.com/101', 'ci.example.com'],
    ['https://ci.example.com/shop/api/runs/7', 'ci.example.com/shop/api'],
    ['https://jenkins.example.com/job/engine/101/', 'jenkins.example.com/job/engine'],
    ['https://jenkins.example.com/job/shop/job/engine/101/', 'jenkins.example.com/job/shop/job/engine'],
    ['https://jenkins.example.com/job/engine/job/main/101/', 'jenkins.example.com/job/engine'],
    ['https://jenkins.example.com/job/engine/job/feature%2Flogin/3/', 'jenkins.example.com/job/engine'],
    ['https://example.com/jenkins/view/all/job/builds/', 'example.com/jenkins/view/all/job/builds'],
    ['https://ci.example.com/pipelines/101', 'ci.example.com'],
    ['https://dev.azure.com/ada/shop/_git/shop/commit/abc', 'dev.azure.com/ada/shop'],
    ['https://dev.azure.com/ada/shop/_git/api/commit/abc', 'dev.azure.com/ada/shop/_git/api'],
    ['https://ada.visualstudio.com/_git/shop?path=/src', 'ada.visualstudio.com/_git/shop'],
    ['https://example.com/apps/mobile/ios/releases/5', 'example.com/apps/mobile/ios/-'],
    ['https://example.com/applications/shop/5', 'example.com/applications/shop'],
    ['https://gitlab.example.com/teams/main/pipelines/-/jobs/1', 'gitlab.example.com/teams/main/pipelines/-'],
    ['https://codeberg.org/ada/src', 'codeberg.org/ada/src'],
    ['https://github.com/ada/tags/commit/abcdef0', 'github.com/ada/tags'],
    ['https://github.com/ada/101/pull/1', 'github.com/ada/101'],
    ['https://github.com/ada/engine/runs/5', 'github.com/ada/engine'],
    // Tags that name no package, or the repository itself.
    ['https://github.com/ada/engine/releases/tag/engine-v1.2.3', 'github.com/ada/engine'],
    ['https://github.com/ada/engine/releases/tag/engine@1.2.3', 'github.com/ada/engine'],
    ['https://github.com/ada/engine/releases/tag/read-1.2.3', 'github.com/ada/engine'],
    ['https://github.com/ada/engine/releases/tag/production-v1.2.3', 'github.com/ada/engine'],
    ['https://github.com/ada/engine/releases/tag/v1.0.0-rc.1', 'github.com/ada/engine'],
    ['https://github.com/ada/engine/releases/tag/engine-rc-1.2.3', 'github.com/ada/engine'],
    ['https://github.com/ada/engine/releases/tag/engine-parent-1.2.3', 'github.com/ada/engine'],
    ['https://github.com/ada/engine/releases/tag/ada-engine-1.2.3', 'github.com/ada/engine'],
    ['https://github.com/ada/engine/releases/tag/ver_1.2.3', 'github.com/ada/engine'],
    ['https://github.com/ada/engine/releases/tag/rel/v1.2.3', 'github.com/ada/engine'],
    ['https://github.com/ada/engine/tree/read-v1.2.3', 'github.com/ada/engine'],
    ['https://gitlab.com/-/profile', 'gitlab.com'],
    ['https://github.com/ada/engine.git', 'github.com/ada/engine'],
    ['https://github.com/Ada/Engine.GIT/', 'github.com/ada/engine'],
    ['https://github.com/ada/engine%2Egit?x#y', 'github.com/ada/engine'],
    ['https://github.com/ada/engine.git.git', 'github.com/ada/engine'],
    ['https://git.example.org/engine.git', 'git.example.org/engine'],
    ['https://git.example.org/engine.git/commit/abc', 'git.example.org/engine'],
    ['https://gitlab.com/group/project.git/-/jobs/1', 'gitlab.com/group/project'],
    ['https://github.com/ada/engine/blob/main/other.git', 'github.com/ada/engine'],
    ['https://github.com/ada/.git', 'github.com/ada/.git'],
    ['https://github.com/ada/legit', 'github.com/ada/legit'],
    ['https://github.com/ada/engine.gitx', 'github.com/ada/engine.gitx'],
    ['https://ada.git/engine', 'ada.git/engine'],
  ])('%s: %s', (link, scope) => expect(scopeOf(targetOf(link))).toBe(scope))

  test.each([
    ['https://gitlab.com/group/sub/project/-/jobs/1', 'gitlab.com/group/sub/project/-'],
    ['https://gitlab.com/group/sub/project.git', 'gitlab.com/group/sub/project/-'],
    ['https://ci.example/a/b/c/d/e/f/g/-/jobs/1', 'ci.example/a/b/c/d/e/f/-'],
    ['https://git.example/group/issues/-/jobs/1', 'git.example/group/issues/-'],
    ['https://github.com/ada/shop/releases/tag/read-v1.2.3', 'github.com/ada/shop/read/-'],
    ['https://github.com/ada/shop/releases/tag/Read@1.2.3', 'github.com/ada/shop/read/-'],
    ['https://github.com/ada/shop/releases/tag/%40ada%2Fread%401.2.3', 'github.com/ada/shop/@ada/read/-'],
    ['https://github.com/ada/shop/releases/tag/@ada/read@1.2.3', 'github.com/ada/shop/@ada/read/-'],
    ['https://github.com/ada/shop/releases/tag/sdk/v1.2.3', 'github.com/ada/shop/sdk/-'],
    ['https://gitlab.com/group/shop/-/tags/read-v1.2.3', 'gitlab.com/group/shop/read/-'],
    ['https://gitlab.com/group/shop/-/releases/read@2', 'gitlab.com/group/shop/read/-'],
    ['https://codeberg.org/ada/shop/src/tag/read-v1.2.3', 'codeberg.org/ada/shop/read/-'],
  ])('%s: %s, because without the end it would be read as a shorter one', (link, scope) => {
    expect(scopeOf(targetOf(link))).toBe(scope)
    expect(scopeOf(targetOf(scope.slice(0, -2)))).not.toBe(scope.slice(0, -2))
  })
})

test.each([
  ...['', ' ', '/', '.', 'a..b', 'a..', '.example.com', 'two words', 'exa<mple.com', 'ftp://example.com'],
  ...['file:///etc/passwd', 'javascript:alert(1)', 'mailto:ada@example.com', 'https://'],
  ...['https://ada@example.com', 'example.com:99999', '256.256.256.256', '[::1'],
])('%j is no target', (text) => expect(targetOf(text)).toBeNull())

test.each([
  ...['commit', 'commits', 'pull', 'pulls', 'pull-requests', 'merge_requests', 'compare', 'releases', 'tag'],
  ...['tags', 'tree', 'src', 'blob', 'issues', 'actions', 'pipelines', 'jobs', 'job'],
])('%s ends a project', (word) => {
  expect(scopeOf(targetOf(`https://git.example.org/kernel/${word}/1`))).toBe('git.example.org/kernel')
})

describe('the bounds of a target:', () => {
  test('2,048 code points are read, as many as the longest link has', () => {
    expect(targetOf(`example.com/${'🚀'.repeat(2036)}`)).not.toBeNull()
    expect(targetOf(`example.com/${'🚀'.repeat(2037)}`)).toBeNull()
  })

  test('a host has at most 253 characters', () => {
    expect(targetOf(`${'a.'.repeat(126)}a`)?.host).toHaveLength(253)
    expect(targetOf(`${'a.'.repeat(126)}ab`)).toBeNull()
  })

  test('a scope has at most 512 bytes, and only whole segments', () => {
    const host = `${'a.'.repeat(126)}a`
    expect(scopeOf(targetOf(`${host}/b/${'c'.repeat(256)}`))).toHaveLength(512)
    expect(scopeOf(targetOf(`${host}/b/${'c'.repeat(257)}`))).toBe(`${host}/b`)
    expect(scopeOf(targetOf(`${host}/${'字'.repeat(1700)}`))).toBe(host)
  })

  test('a link of many labels and segments counts for 16 scopes', () => {
    expect(scopesOf(targetOf(`${'a.'.repeat(100)}b/1/2/3/4/5/6/7/-/8`))).toHaveLength(16)
  })
})

test('reading a target again gives the same target', () => {
  const segment = fc.constantFrom(
    'a',
    '-',
    'src',
    'issues',
    'B',
    'ü',
    '%2F',
    '%',
    'c++',
    'a.git',
    '.git',
    '.git.git',
    'ü.GIT',
    ...[
      'job',
      'view',
      'main',
      'pipelines',
      'github',
      'teams',
      'repos',
      '7',
      'applications',
      'apps',
      'activity',
    ],
  )
  const links = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string({ unit: 'binary' }).map((text) => `example.com/${text}`),
    fc.array(segment, { maxLength: 9 }).map((segments) => `example.com/${segments.join('/')}`),
  )
  fc.assert(
    fc.property(links, (link) => {
      const target = targetOf(link)
      for (const scope of target === null ? [] : scopesOf(target).slice(1)) {
        expect(scopeOf(targetOf(scope))).toBe(scope)
      }
    }),
    { numRuns: 2_000 },
  )
})

describe('A deployment counts for', () => {
  test('everything, for any link', () => expect(scopesOf(null)).toEqual([everything]))

  test('its host, parent domains of two labels or more, and its host with each prefix of the path', () => {
    expect(scopesOf(mustBeTarget('api.eu.example.com/a/b'))).toEqual([
      ...['', 'api.eu.example.com', 'eu.example.com', 'example.com', 'api.eu.example.com/a'],
      'api.eu.example.com/a/b',
    ])
  })

  test.each(['127.0.0.1', '[::1]', 'localhost', 'ada.dev'])('%s without parents', (host) =>
    expect(scopesOf(mustBeTarget(`${host}/a`))).toEqual(['', host, `${host}/a`]),
  )

  test('the eight shortest parents of a deep host', () => {
    const scopes = scopesOf(mustBeTarget('12.11.10.9.8.7.6.5.4.3.2.a'))
    expect(scopes).toHaveLength(10)
    expect([scopes[2], scopes.at(-1)]).toEqual(['9.8.7.6.5.4.3.2.a', '2.a'])
  })

  test('its own link as a filter, and those of its parents', () => {
    const segments = fc.array(fc.constantFrom('x', 'X', 'ö', '%C3%96', 'tree', '-', 'x.git', '.git'), {
      maxLength: 9,
    })
    fc.assert(
      fc.property(segments, fc.nat({ max: 9 }), (path, length) => {
        const link = `https://WWW.eu.Example.com:8443/${path.join('/')}`
        const scopes = scopesOf(mustBeTarget(link))
        expect(scopes).toContain(scopeOf(targetOf(link)))
        expect(scopes).toContain(scopeOf(targetOf(`eu.example.com/${path.slice(0, length).join('/')}`)))
        expect(scopes).not.toContain(scopeOf(targetOf('example.com/x')))
      }),
    )
  })
})

test('reading a host of dots takes linear time', () => {
  const dots = `a${'.'.repeat(2_000)}b`
  const start = performance.now()
  for (let n = 0; n < 100; n += 1) expect(targetOf(dots)).toBeNull()
  // 0.1 ms each; a quadratic expression took 3 ms.
  expect(performance.now() - start).toBeLessThan(patience(150))
})

function mustBeTarget(text: string): Target {
  const target = targetOf(text)
  if (target === null) throw new Error(`no target: ${text}`)
  return target
}
