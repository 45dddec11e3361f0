import { describe, expect, test } from 'bun:test'
import { share } from '../../src/database/batch.ts'
import { Unavailable } from '../../src/database/errors.ts'

/** Reads in the order in which they begin. The test answers them itself. */
function heldReads() {
  const begun: { question: string; answer: (value: string) => void; fail: (error: unknown) => void }[] = []
  const ask = (question: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    begun.push({ question, answer: resolve, fail: reject })
    return promise
  }
  return { begun, read: share(ask) }
}

/** As many reads as may run at once. */
const others = Array.from({ length: 64 }, (_, n) => `page ${n}`)

const nextTurn = () => Bun.sleep(1)

describe('a read', () => {
  test('is shared by all callers that ask the same question before it begins', async () => {
    const { begun, read } = heldReads()
    const asked = [read('feed'), read('feed'), read('feed')]
    await nextTurn()
    expect(begun.map(({ question }) => question)).toEqual(['feed'])
    begun[0]?.answer('fresh')
    expect(await Promise.all(asked)).toEqual(['fresh', 'fresh', 'fresh'])
  })

  test('that has begun is not shared: a later caller gets a later read', async () => {
    const { begun, read } = heldReads()
    const early = read('feed')
    await nextTurn()
    const late = read('feed')
    await nextTurn()
    expect(begun).toHaveLength(1)
    begun[0]?.answer('before')
    await nextTurn()
    expect(begun).toHaveLength(2)
    begun[1]?.answer('after')
    expect([await early, await late]).toEqual(['before', 'after'])
  })

  test('of another question is separate', async () => {
    const { begun, read } = heldReads()
    const asked = [read('feed'), read('ada')]
    await nextTurn()
    for (const { question, answer } of begun) answer(`about ${question}`)
    expect(await Promise.all(asked)).toEqual(['about feed', 'about ada'])
  })

  test('of another question is not held up by a question whose read is running', async () => {
    const { begun, read } = heldReads()
    const asked = [read('slow')]
    await nextTurn()
    asked.push(read('slow'))
    await nextTurn()
    asked.push(read('quick'))
    await nextTurn()
    expect(begun.map(({ question }) => question)).toEqual(['slow', 'quick'])
    for (const { answer } of begun) answer('done')
    await nextTurn()
    begun[2]?.answer('done again')
    expect(await Promise.all(asked)).toEqual(['done', 'done again', 'done'])
  })

  test('that fails, fails only for the callers that share it', async () => {
    const { begun, read } = heldReads()
    const asked = Promise.allSettled([read('ada'), read('ada'), read('grace')])
    await nextTurn()
    begun[0]?.fail(new Error('broken'))
    begun[1]?.answer('fine')
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    const again = read('ada')
    await nextTurn()
    begun[2]?.answer('mended')
    expect(await again).toBe('mended')
  })
})

describe('while the limit of reads is running', () => {
  test('another read waits for its turn, and all callers with that question wait for it', async () => {
    const { begun, read } = heldReads()
    const first = others.map(read)
    await nextTurn()
    const waiting = [read('e'), read('e')]
    await nextTurn()
    expect(begun).toHaveLength(others.length)
    begun[0]?.answer('done')
    await nextTurn()
    expect(begun.map(({ question }) => question)).toEqual([...others, 'e'])
    for (const { answer } of begun) answer('done')
    expect(new Set(await Promise.all([...first, ...waiting]))).toEqual(new Set(['done']))
  })

  test('a caller that joins a waiting read has a deadline of its own', async () => {
    const { begun, read } = heldReads()
    void Promise.allSettled(others.map(read))
    await nextTurn()
    const early = read('e')
    await Bun.sleep(1_500)
    const late = read('e')
    expect(await early.catch((error) => error)).toBeInstanceOf(Unavailable)
    begun[0]?.answer('done')
    await nextTurn()
    begun.at(-1)?.answer('in time')
    expect(await late).toBe('in time')
  })
})
