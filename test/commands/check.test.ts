import { expect, test } from 'bun:test'
import { backupFinding } from '../../src/capabilities/backups/finding.ts'
import { bellFinding, databaseFindings, diskFinding } from '../../src/commands/check.ts'
import { lineOf } from '../../src/commands/finding.ts'

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
  [{ aheadMs: 61_000 }, ["clock       the database's clock is 61 s ahead of this machine's"]],
  [{ aheadMs: -6_000 }, ["clock       the database's clock is 6 s behind this machine's"]],
  [{ isReadOnly: true }, ['database    accepts no writes']],
  [{ isDurable: false }, ['durable     fsync is off']],
])('a check of a database with %j reports as wrong: %j', (different, wrong) => {
  const lines = databaseFindings({ ...facts, ...different }).map(lineOf)
  expect(lines.filter((line) => line.startsWith('WRONG'))).toEqual(
    wrong.map((text) => expect.stringContaining(`WRONG  ${text}`)),
  )
})

test.each([
  ['notify', true, 'are notified at once'],
  ['notify', false, 'set DATABASE_LISTEN_URL to notify them at once'],
  ['poll', true, 'because of BELL=poll'],
  ['poll', false, 'because of BELL=poll'],
] as const)('with BELL=%s, and with a session: %p, a check explains the bell', (bell, hasSession, told) => {
  expect(bellFinding({ bell }, hasSession)).toMatchObject({
    isRight: true,
    says: expect.stringMatching(told),
  })
})

test.each([
  [7_200, 3_600, 'backup', true, 'the newest in DATA_DIR/backups is 2 hours old'],
  [7_201, 3_600, 'backup', false, 'is 2 hours old: look for `backup_failed`'],
  [1e9, null, 'backup', true, 'BACKUP_EVERY is off, the newest in DATA_DIR/backups is 31 years old'],
  [Number.POSITIVE_INFINITY, null, 'backup', true, 'BACKUP_EVERY is off, there is none in DATA_DIR/backups'],
  [Number.POSITIVE_INFINITY, 1, 'backup', false, 'there is none in DATA_DIR/backups: look'],
] as const)(
  'a check of backups, the newest %d s old, with one every %p s',
  (age, every, about, isRight, says) => {
    expect(backupFinding(age, every)).toEqual({ about, isRight, says: expect.stringContaining(says) })
  },
)

test('a check reports a disk with less than 500 MB free as wrong', () => {
  expect([diskFinding(499, '/data').isRight, diskFinding(500, '/data').isRight]).toEqual([false, true])
})
