import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { urlOf } from '../../src/domain/field-parsing.ts'
import { linkFactsOf, projectOf, referenceOf } from '../../src/domain/link.ts'

test.each([
  ['https://github.com/Ada/Engine/pull/412', 'github.com/ada/engine', 'ada', 'engine'],
  ['https://gitlab.com/a/b/c/-/tags/v1', 'gitlab.com/a/b/c/-', 'a/b', 'c'],
  ['https://github.com/ada', 'github.com', null, 'github.com'],
  ['https://git.ada.dev/ada/engine/commit/1', 'git.ada.dev', null, 'git.ada.dev'],
  ['https://www.ada.dev:8443/log', 'ada.dev', null, 'ada.dev'],
])('the project of %s is found', (url, scope, owner, name) =>
  expect(projectOf({ url })).toEqual({ scope, owner, name }),
)

test.each([[null], ['no link'], ['https://user@ada.dev/']])('%s has no project', (url) =>
  expect(projectOf({ url })).toBeNull(),
)

const hash = '9F1C2AB'.padEnd(40, '0')

test.each([
  [`https://github.com/ada/engine/commit/${hash}`, '9f1c2ab'],
  [`https://gitlab.com/ada/engine/-/commit/${hash}?x=1#y`, '9f1c2ab'],
  ['https://bitbucket.org/ada/engine/commits/9f1c2ab', '9f1c2ab'],
  ['https://github.com/ada/engine/commit/9f1c2a', null],
  ['https://github.com/ada/engine/pull/412', '#412'],
  ['https://git.ada.dev/ada/engine/pulls/412', '#412'],
  ['https://gitlab.com/ada/engine/-/merge_requests/7', '#7'],
  ['https://github.com/ada/engine/issues/9', '#9'],
  ['https://github.com/ada/engine/pull/412/files', null],
  ['https://github.com/ada/engine/releases/tag/v1.2.0', 'v1.2.0'],
  ['https://status.example.com/releases/2026.11.22-3', '2026.11.22-3'],
  ['https://gitlab.com/ada/engine/-/tags/1.0', '1.0'],
  ['https://github.com/ada/engine/tree/main', null],
  ['https://github.com/ada/engine/releases/tag/latest', null],
  [`https://github.com/ada/engine/releases/tag/v1${'0'.repeat(23)}`, `v1${'0'.repeat(23)}`],
  [`https://github.com/ada/engine/releases/tag/v1${'0'.repeat(24)}`, null],
  ['https://ada.dev/', null],
  ['no link', null],
])('the reference of %s is %p', (url, name) => expect(referenceOf(url)).toBe(name))

test('the facts of a link are the same whether they are read at once or one by one', () => {
  const beginnings = [
    'https://',
    'http://',
    'HTTPS://',
    'https:',
    'ftp://',
    ' https://',
    '\u00a0https://',
    '',
  ]
  const hosts = [
    'github.com',
    'GitHub.com',
    'www.ada.dev.',
    'xn--a9b.de',
    '127.0.0.1',
    'ada.dev:8080',
    'u@ada.dev',
  ]
  const segments = [
    '/ada',
    '/Engine',
    '/engine.git',
    '/-',
    '/..',
    '//',
    '/%41',
    '/ü',
    '/pull/412',
    '/tags/v1',
    '?a=b',
    '"',
  ]
  const links = fc.tuple(
    fc.constantFrom(...beginnings),
    fc.constantFrom(...hosts),
    fc.array(fc.constantFrom(...segments), { maxLength: 5 }),
  )
  fc.assert(
    fc.property(links, ([beginning, host, path]) => {
      const url = beginning + host + path.join('')
      expect(linkFactsOf(url)).toEqual({
        reference: referenceOf(url),
        host: urlOf(url)?.host ?? null,
      })
    }),
  )
})
