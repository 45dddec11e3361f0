import { expect, test } from 'bun:test'
import { nextStep, retryAfterOf } from '../../../src/capabilities/webhooks/delivery/retries.ts'

const failed = { status: 503, error: null, retryAfterMs: null }

test('a try that fails is repeated seven times, at growing intervals, and then the webhook is paused', () => {
  const seconds = Array.from({ length: 9 }, (_, failures) => nextStep(failed, failures)).map((next) =>
    next.step === 'retry' ? next.inMs / 1_000 : next.step,
  )
  expect(seconds).toEqual([5, 30, 120, 600, 3_600, 10_800, 28_800, 'pause', 'pause'])
})

test.each([
  [200, 'go_on'],
  [299, 'go_on'],
  [199, 'retry'],
  [300, 'retry'],
  [404, 'retry'],
  [410, 'pause'],
  [null, 'retry'],
] as const)('the status %p leads to: %s', (status, step) => {
  expect(nextStep({ status, error: null, retryAfterMs: null }, 0).step).toBe(step)
})

test('the receiver may ask for more time, in seconds or as a date, up to a day, and not for less', () => {
  const now = new Date('2026-11-24T12:00:00Z')
  const inMs = (header: string | null) => {
    const next = nextStep({ ...failed, retryAfterMs: retryAfterOf(header, now) }, 0)
    return next.step === 'retry' ? next.inMs : next.step
  }
  for (const header of ['0', '1', '5']) expect(inMs(header)).toBe(5_000)
  expect(inMs('6')).toBe(6_000)
  expect(inMs('86400')).toBe(86_400_000)
  expect(inMs('86401')).toBe(86_400_000)
  expect(inMs('Tue, 24 Nov 2026 12:01:00 GMT')).toBe(60_000)
  expect(inMs('Tue, 24 Nov 2026 11:59:00 GMT')).toBe(5_000)
  for (const header of [null, '', '-1', '1.5', 'soon']) expect(inMs(header)).toBe(5_000)
})
