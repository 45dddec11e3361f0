import { expect, test } from 'bun:test'
import { bellFinding, databaseFindings, diskFinding, lineOf } from '../../src/commands/findings.ts'

const facts = {
  version: '15.20',
  isReadOnly: false,
  isDurable: true,
  megabytes: 9,
  aheadMs: 0,
  schema: 'same',
} as const

test.each([
  [{}, []],
  [{ aheadMs: 5_400 }, []],
  [{ aheadMs: 61_000 }, ["clock       the database's is 61 s ahead of this machine's"]],
  [{ aheadMs: -6_000 }, ["clock       the database's is 6 s behind this machine's"]],
  [{ isReadOnly: true }, ['database    takes no writes']],
  [{ isDurable: false }, ['durable     fsync is off']],
])('of a database with %j', (different, wrong) => {
  const lines = databaseFindings({ ...facts, ...different }).map(lineOf)
  expect(lines.filter((line) => line.startsWith('WRONG'))).toEqual(
    wrong.map((text) => expect.stringContaining(`WRONG  ${text}`)),
  )
})

test.each([
  ['notify', true, 'hear of news at once'],
  ['notify', false, 'with DATABASE_LISTEN_URL they hear at once'],
  ['poll', true, 'as BELL=poll asks for'],
  ['poll', false, 'as BELL=poll asks for'],
] as const)('of a bell: %s, in a session: %p', (bell, hasSession, told) => {
  expect(bellFinding({ bell }, hasSession)).toMatchObject({
    isRight: true,
    says: expect.stringMatching(told),
  })
})

test('of a disk that is nearly full', () => {
  expect([diskFinding(499, '/data').isRight, diskFinding(500, '/data').isRight]).toEqual([false, true])
})
