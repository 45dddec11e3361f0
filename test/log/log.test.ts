import { describe, expect, test } from 'bun:test'
import type { Level } from '../../src/log/events.ts'
import { levels } from '../../src/log/events.ts'
import { createLog, errorFacts } from '../../src/log/log.ts'

function logTo(
  lines: string[],
  { level = 'info', isTerminal = false }: { level?: Level; isTerminal?: boolean },
) {
  return createLog({ level, write: (line) => lines.push(line), isTerminal })
}

test.each(levels.map((level, n) => [level, n + 1] as const))(
  'with LOG_LEVEL=%s, less severe lines are not even computed',
  (level, count) => {
    const lines: string[] = []
    const log = logTo(lines, { level })
    let made = 0
    const facts = () => {
      made += 1
      return {}
    }
    for (const event of ['fault', 'database_lost', 'signed_in', 'refused'] as const) log(event, facts)
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(levels.slice(0, count))
    expect(made).toBe(count)
  },
)

test('a JSON line begins with the time, the level and the event', () => {
  const lines: string[] = []
  logTo(lines, {})('signed_in', { user: 'ada\n', address: undefined })
  expect(lines[0]).toMatch(/^\{"at":"\d{4}-.*Z","level":"info","event":"signed_in","user":"ada\\n"\}$/)
})

describe('at a terminal', () => {
  test('a line is readable', () => {
    const lines: string[] = []
    const log = logTo(lines, { isTerminal: true })
    log('database_lost', { message: 'Shipfeed cannot connect to the database: ECONNREFUSED' })
    log('sign_in_failed', { user: undefined, address: '10.0.0.1', path: '/sign-in', status: 422 })
    expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d/, 'TIME'))).toEqual([
      'TIME warn  database_lost Shipfeed cannot connect to the database: ECONNREFUSED',
      'TIME info  sign_in_failed address=10.0.0.1 path=/sign-in status=422',
    ])
  })

  test('nothing in it can control the terminal or look like another line', () => {
    const lines: string[] = []
    const log = logTo(lines, { isTerminal: true })
    const hostile = 'a\u001b[2J\r\n06:00:00 info \u202esigned_in'
    log('news', { message: hostile, error: hostile, path: '/\u009b2J' })
    expect(lines[0]).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    log('fault', { stack: 'Error: a\u001b[2J\n    at here' })
    expect(lines[1]?.split('\n').slice(1)).toEqual(['Error: a\ufffd[2J', '    at here'])
  })
})

test('an error is logged by its cause, without the statement', () => {
  const failed = new Error('Failed query: insert … params: hash', { cause: new Error('disk full') })
  expect(errorFacts(failed)).toEqual({ error: 'disk full' })
  expect(errorFacts(failed, { withStack: true }).stack).toStartWith('Error: disk full\n')
  expect(errorFacts('thrown')).toEqual({ error: 'thrown' })
})
