import { expect, test } from 'bun:test'
import { nearest } from './near.ts'

const tests = new Map([
  ['test/architecture.test.ts', []],
  ['test/domain/time.test.ts', ['src/domain/time.ts']],
  ['test/domain/target.test.ts', ['src/domain/target.ts']],
  ['test/web/status.test.ts', ['test/support/service.ts', 'src/domain/time.ts']],
  ['test/capabilities/wall/routes.test.ts', ['test/support/service.ts']],
])

test.each([
  [['src/domain/time.ts'], ['domain/time', 'domain/target', 'web/status']],
  [['src/capabilities/wall/page.tsx'], ['capabilities/wall/routes']],
  [['test/domain/target.test.ts'], ['domain/target']],
  [['test/support/service.ts'], ['web/status', 'capabilities/wall/routes']],
  [['src/serve.ts', 'README.md'], []],
])('near to %j are the laws and %j', (changed, near) => {
  expect(nearest(changed, tests)).toEqual(['architecture', ...near].map((name) => `test/${name}.test.ts`))
})

test('without a change, nothing is near', () => {
  expect(nearest([], tests)).toEqual([])
})
