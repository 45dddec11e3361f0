import { describe, expect, test } from 'bun:test'
import { coalesce } from '../../src/database/coalesce.ts'
import { Unavailable } from '../../src/database/errors.ts'

type Statement = {
  readonly questions: readonly number[]
  readonly resolve: (answers: readonly string[]) => void
  readonly reject: (error: unknown) => void
}

/** A database that answers when it is told to, and what it was asked. */
function database(options = { inFlight: 1, batchSize: 1_000 }) {
  const statements: Statement[] = []
  const call = coalesce<number, string>((questions) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>()
    statements.push({ questions, resolve, reject })
    return promise
  }, options)
  const asked = () => statements.map(({ questions }) => questions)
  /** Answers every statement, also those that come of it, with the questions in words. */
  const answerAll = async () => {
    for (let n = 0; n < statements.length; n += 1) {
      statements[n]?.resolve(statements[n]?.questions.map(String) ?? [])
      await settled()
    }
  }
  return { call, statements, asked, answerAll }
}

const settled = () => Bun.sleep(0)

describe('A call', () => {
  test('goes at once, and alone, when nothing is under way', async () => {
    const { call, asked, answerAll } = database()
    const answer = call(1)
    await settled()
    expect(asked()).toEqual([[1]])
    await answerAll()
    expect(await answer).toBe('1')
  })

  test('goes together with those that come in the same tick', async () => {
    const { call, asked, answerAll } = database()
    const answers = Promise.all([1, 2, 3].map(call))
    await settled()
    expect(asked()).toEqual([[1, 2, 3]])
    await answerAll()
    expect(await answers).toEqual(['1', '2', '3'])
  })

  test('that comes during a statement waits, and goes with all that wait, in their order', async () => {
    const { call, asked, answerAll } = database()
    const answers = [call(1)]
    await settled()
    for (const n of [2, 3, 4]) {
      answers.push(call(n))
      await settled()
    }
    expect(asked()).toEqual([[1]])
    await answerAll()
    expect(asked()).toEqual([[1], [2, 3, 4]])
    expect(await Promise.all(answers)).toEqual(['1', '2', '3', '4'])
  })

  test('is never answered by a statement that was sent before it: no answer is stale', async () => {
    const { call, statements } = database()
    void call(1)
    await settled()
    let second: string | null = null
    void call(1).then((answer) => {
      second = answer
    })
    statements[0]?.resolve(['before'])
    await settled()
    expect(second).toBeNull()
    statements[1]?.resolve(['after'])
    await settled()
    expect(second as string | null).toBe('after')
  })
})

describe('Statements', () => {
  test('are at most so many at once', async () => {
    const { call, asked, answerAll } = database({ inFlight: 2, batchSize: 1 })
    const answers = Promise.all([1, 2, 3].map(call))
    await settled()
    expect(asked()).toEqual([[1], [2]])
    await answerAll()
    expect(await answers).toEqual(['1', '2', '3'])
  })

  test('carry at most so many calls each', async () => {
    const { call, asked, answerAll } = database({ inFlight: 1, batchSize: 2 })
    const answers = Promise.all([1, 2, 3, 4, 5].map(call))
    await settled()
    await answerAll()
    expect(asked()).toEqual([[1, 2], [3, 4], [5]])
    expect(await answers).toEqual(['1', '2', '3', '4', '5'])
  })
})

describe('A batch', () => {
  test('that is refused is asked again call by call, so that a poisoned one fails alone', async () => {
    const asked: (readonly number[])[] = []
    const call = coalesce<number, string>(
      async (questions) => {
        asked.push(questions)
        if (questions.includes(2)) throw new Error('poison')
        return questions.map(String)
      },
      { inFlight: 1, batchSize: 10 },
    )
    const results = await Promise.allSettled([1, 2, 3].map(call))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(asked).toEqual([[1, 2, 3], [1], [2], [3]])
    expect(await call(4)).toBe('4')
  })

  test.each([
    ['Unavailable', new Unavailable('no answer')],
    ['a cut connection', Object.assign(new Error('cut'), { code: 'CONNECTION_CLOSED' })],
    [
      'a server that shuts down',
      new Error('wrapped', { cause: Object.assign(new Error(), { code: '57P01' }) }),
    ],
  ])('whose outcome is unknown, by %s, fails whole and is not asked again', async (_, error) => {
    const { call, statements } = database()
    const results = Promise.allSettled([1, 2, 3].map(call))
    await settled()
    statements[0]?.reject(error)
    expect(await results).toEqual(Array(3).fill({ status: 'rejected', reason: error }))
    await settled()
    expect(statements).toHaveLength(1)
  })

  test('that is refused frees its place for the next', async () => {
    const { call, statements, answerAll } = database()
    const refused = Promise.allSettled([call(1)])
    await settled()
    const next = call(2)
    statements[0]?.reject(new Error('refused'))
    await refused
    await settled()
    await answerAll()
    expect(await next).toBe('2')
  })
})

describe('A queue', () => {
  test('takes 10,000 calls while a statement is under way, and refuses one more at once', async () => {
    const { call, asked, answerAll } = database({ inFlight: 1, batchSize: 10_000 })
    const answers = [call(0)]
    await settled()
    for (let n = 1; n <= 10_000; n += 1) answers.push(call(n))
    await expect(call(10_001)).rejects.toBeInstanceOf(Unavailable)
    await answerAll()
    expect((await Promise.all(answers)).at(-1)).toBe('10000')
    expect(asked().map(({ length }) => length)).toEqual([1, 10_000])
  })

  test('gives a call up after 2 s, sent or not; one that was not sent is never sent', async () => {
    const { call, statements, asked, answerAll } = database()
    const begin = performance.now()
    const results = [call(1)]
    await settled()
    results.push(call(2))
    for (const result of await Promise.allSettled(results)) {
      expect(result).toEqual({ status: 'rejected', reason: expect.any(Unavailable) })
    }
    expect(performance.now() - begin).toBeGreaterThan(1_900)
    expect(performance.now() - begin).toBeLessThan(4_000)

    const next = call(3)
    statements[0]?.resolve(['1'])
    await settled()
    expect(asked()).toEqual([[1], [3]])
    await answerAll()
    expect(await next).toBe('3')
  })

  test('gives each of thousands up, whatever the instant at which its 2 s are over', async () => {
    const { call } = database()
    const results: Promise<unknown>[] = []
    for (let turn = 0; turn < 500; turn += 1) {
      for (let n = 0; n < 10; n += 1) results.push(call(n))
      await Bun.sleep(1)
    }
    const settled = Promise.allSettled(results).then((all) => all.length)
    expect(await Promise.race([settled, Bun.sleep(20_000)])).toBe(5_000)
  })

  test('does not ask again, call by call, for those who gave up meanwhile', async () => {
    const { call, statements, asked } = database()
    const results = Promise.allSettled([1, 2, 3].map(call))
    await settled()
    statements[0]?.reject(new Error('refused'))
    await results
    statements[1]?.resolve(['1'])
    await settled()
    expect(asked()).toEqual([[1, 2, 3], [1]])
  })
})
