import { expect, test } from 'bun:test'
import { superlinear } from '../support/texts/growth.ts'
import { allExpressions, shapesFor } from './expressions.ts'

test('every regular expression takes linear time: a text of four times the length takes at most five times as long', async () => {
  const all = await allExpressions()
  expect(all.length).toBeGreaterThan(300)
  const slow: string[] = []
  for (const { where, expression, run } of all) {
    // Without a repetition of any length, the time for each place is bounded.
    if (!/[*+]|\{\d+,\}/.test(expression.source)) continue
    const found = superlinear(run, shapesFor(expression), { times: 5, anyMs: 2 })
    if (found !== null) slow.push(`${where} ${expression} with ${found}`)
  }
  expect(slow).toEqual([])
}, 900_000)
