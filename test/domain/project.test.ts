import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { projectOf } from '../../src/domain/project.ts'
import { scopeOf, scopesOf, targetOf } from '../../src/domain/target.ts'

test.each([
  ['https://github.com/ada/engine/pull/412', 'github.com/ada/engine'],
  ['https://www.GitHub.com/Ada/Engine', 'github.com/ada/engine'],
  ['https://github.com/ada', 'github.com/ada'],
  ['https://github.com/', 'github.com'],
  ['https://gitlab.com/group/project/-/merge_requests/1', 'gitlab.com/group/project'],
  ['https://git.sr.ht/~ada/engine/log', 'git.sr.ht/~ada/engine'],
  ['https://gist.github.com/ada/1', 'gist.github.com'],
  ['https://app.example.com/changelog/2', 'app.example.com'],
  ['https://example.com:8443', 'example.com'],
])('%s is a deployment of %s', (url, project) => {
  const found = projectOf(targetOf(url))
  expect(found === null ? null : scopeOf(found)).toBe(project)
})

test('without a target there is no project', () => {
  expect(projectOf(null)).toBe(null)
})

test('a project is one of the scopes that its deployments count for, so that it works as a filter', () => {
  const hosts = fc.constantFrom('github.com', 'codeberg.org', 'example.com', 'eu.app.example.com')
  const paths = fc.array(fc.constantFrom('ada', 'engine', 'x%2Fy', ''), { maxLength: 10 })
  fc.assert(
    fc.property(hosts, paths, (host, path) => {
      const target = targetOf(`https://${host}/${path.join('/')}`)
      const project = projectOf(target)
      expect(scopesOf(target)).toContain(project === null ? '' : scopeOf(project))
    }),
  )
})
