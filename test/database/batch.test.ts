import { describe, expect, test } from 'bun:test'
import { batch } from '../../src/database/batch.ts'
import { Unavailable } from '../../src/database/errors.ts'

type Statement = {
  readonly questions: readonly number[]
  readonly resolve: (answers: readonly string[]) => void
  readonly reject: (error: unknown) => void
}

/** A database that answers when the test lets it, and records the questions of each statement. */
function database(options = { inFlight: 1, batchSize: 1_000 }) {
  const statements: Statement[] = []
  const ask = (questions: readonly number[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>()
    statements.push({ questions, resolve, reject })
    return promise
  }
  const call = batch({}, 'numbers', ask, options)
  const asked = () => statements.map(({ questions }) => questions)
  /** Answers every statement with its questions as text, including statements that follow from the answers. */
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
  test('is sent at once, and alone, while no statement runs', async () => {
    const { call, asked, answerAll } = database()
    const answer = call(1)
    await settled()
    expect(asked()).toEqual([[1]])
    await answerAll()
    expect(await answer).toBe('1')
  })

  test('is sent together with the other calls of its tick', async () => {
    const { call, asked, answerAll } = database()
    const answers = Promise.all([1, 2, 3].map(call))
    await settled()
    expect(asked()).toEqual([[1, 2, 3]])
    await answerAll()
    expect(await answers).toEqual(['1', '2', '3'])
  })

  test('that arrives during a statement waits, and is sent with all waiting calls, in order', async () => {
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

  test('is never answered by a statement that was sent before it, so no answer is stale', async () => {
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
  test('run up to the limit at once', async () => {
    const { call, asked, answerAll } = database({ inFlight: 2, batchSize: 1 })
    const answers = Promise.all([1, 2, 3].map(call))
    await settled()
    expect(asked()).toEqual([[1], [2]])
    await answerAll()
    expect(await answers).toEqual(['1', '2', '3'])
  })

  test('carry no more calls than a batch may have', async () => {
    const { call, asked, answerAll } = database({ inFlight: 1, batchSize: 2 })
    const answers = Promise.all([1, 2, 3, 4, 5].map(call))
    await settled()
    await answerAll()
    expect(asked()).toEqual([[1, 2], [3, 4], [5]])
    expect(await answers).toEqual(['1', '2', '3', '4', '5'])
  })
})

describe('A batch', () => {
  test('that is refused is sent again call by call, so that only the bad call fails', async () => {
    const asked: (readonly number[])[] = []
    const ask = async (questions: readonly number[]) => {
      asked.push(questions)
      if (questions.includes(2)) throw new Error('poison')
      return questions.map(String)
    }
    const call = batch({}, 'numbers', ask, { inFlight: 1, batchSize: 10 })
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
  ])('whose outcome is unknown (%s) fails as a whole and is not sent again', async (_, error) => {
    const { call, statements } = database()
    const results = Promise.allSettled([1, 2, 3].map(call))
    await settled()
    statements[0]?.reject(error)
    expect(await results).toEqual(Array(3).fill({ status: 'rejected', reason: error }))
    await settled()
    expect(statements).toHaveLength(1)
  })

  test('that is refused makes room for the next one', async () => {
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

test('Every statement is measured, with its name, its number of calls and its duration', async () => {
  const measured: unknown[] = []
  const onStatement = (...facts: unknown[]) => measured.push(facts)
  const ask = async (questions: readonly number[]) => {
    if (questions.length > 1) throw new Error('refused')
    return questions
  }
  const call = batch({ onStatement }, 'numbers', ask, { inFlight: 1, batchSize: 10 })
  await Promise.all([1, 2].map(call))
  const seconds = expect.any(Number)
  expect(measured).toEqual([
    ['numbers', 2, seconds],
    ['numbers', 1, seconds],
    ['numbers', 1, seconds],
  ])
})

describe('A queue', () => {
  test('takes 10,000 calls while a statement runs, and refuses the next one at once', async () => {
    const { call, asked, answerAll } = database({ inFlight: 1, batchSize: 10_000 })
    const answers = [call(0)]
    await settled()
    for (let n = 1; n <= 10_000; n += 1) answers.push(call(n))
    await expect(call(10_001)).rejects.toBeInstanceOf(Unavailable)
    await answerAll()
    expect((await Promise.all(answers)).at(-1)).toBe('10000')
    expect(asked().map(({ length }) => length)).toEqual([1, 10_000])
  })

  test('rejects a call after 2 s, and never sends it if it was not sent by then', async () => {
    const { call, statements, asked, answerAll } = database()
    const begin = performance.now()
    const results = [call(1)]
    await settled()
    results.push(call(2))
    for (const result of await Promise.allSettled(results)) {
      expect(result).toEqual({ status: 'rejected', reason: expect.any(Unavailable) })
    }
    expect(performance.now() - begin).toBeGreaterThan(1_900)
    expect(performance.now() - begin).toBeLessThan(20_000)

    const next = call(3)
    statements[0]?.resolve(['1'])
    await settled()
    expect(asked()).toEqual([[1], [3]])
    await answerAll()
    expect(await next).toBe('3')
  })

  test('rejects each of thousands of calls, at whatever instant its 2 s end', async () => {
    const { call } = database()
    const results: Promise<unknown>[] = []
    for (let turn = 0; turn < 500; turn += 1) {
      for (let n = 0; n < 10; n += 1) results.push(call(n).catch((error: unknown) => error))
      await Bun.sleep(1)
    }
    const settled = Promise.all(results).then((all) => all.length)
    expect(await Promise.race([settled, Bun.sleep(60_000)])).toBe(5_000)
  })

  test('does not send a refused call again if its 2 s have ended', async () => {
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
