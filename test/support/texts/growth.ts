/** A text of any length: a unit that is repeated between a beginning and an end. */
export type Shape = readonly [begin: string, unit: string, end: string]

/** Characters that expressions and parsers are slow with, if they are slow with any. */
export const characters = [...'a1.-_/@:# \t\n*[]()<>&%\\"\'é漢🚀\u0301']

/** A text of about as many characters. */
export function ofLength([begin, unit, end]: Shape, length: number): string {
  return begin + unit.repeat(Math.ceil((length - begin.length - end.length) / unit.length)) + end
}

/** All lists of these words with as many words, joined. */
export function joinedWords(words: readonly string[], count: number): string[] {
  return count === 0
    ? ['']
    : joinedWords(words, count - 1).flatMap((begin) => words.map((word) => begin + word))
}

/** With a short text, nearly all work takes less time than this. Only the rest is done with long ones. */
const short = { characters: 1_000, ms: 0.1 }
/** The lengths whose costs are compared. Where memory becomes short, one step may cost more, but not both. */
const steps = [
  [15_000, 60_000],
  [30_000, 120_000],
] as const

/** How many times as long four times the length may take, unless it takes at most `anyMs`. */
type Growth = { readonly times: number; readonly anyMs: number }

/** The first of these shapes with which work takes longer, with the milliseconds for both lengths; null if there is none. */
export function superlinear(
  work: (text: string) => unknown,
  shapes: Iterable<Shape>,
  most: Growth,
): string | null {
  let usualMs = short.ms
  for (const shape of shapes) {
    const text = ofLength(shape, short.characters)
    if (minMs(() => work(text), 1) < usualMs) continue
    const ms = minMs(() => work(text), 5)
    if (ms < usualMs) continue
    const costs = growth(work, shape, most)
    // Another process may have held up one measurement.
    if (costs !== null && growth(work, shape, most) !== null)
      return `${JSON.stringify(shape)}: ${costs.map((ms) => ms.toFixed(1)).join(' and ')} ms`
    // So much is linear here.
    usualMs = 1.5 * ms
  }
  return null
}

/** The milliseconds for two lengths if they grow too fast, in each step. */
function growth(work: (text: string) => unknown, shape: Shape, most: Growth): [number, number] | null {
  let costs: [number, number] | null = null
  for (const step of steps) {
    costs = growthIn(step, work, shape, most)
    if (costs === null) return null
  }
  return costs
}

/** The same in one step, in each of several tries. */
function growthIn(
  step: (typeof steps)[number],
  work: (text: string) => unknown,
  shape: Shape,
  { times, anyMs }: Growth,
): [number, number] | null {
  const [less, more] = step.map((length) => ofLength(shape, length)) as [string, string]
  for (let tries = 1; ; tries += 1) {
    const [before, after] = [meanCpuMs(() => work(less)), meanCpuMs(() => work(more))]
    if (after <= anyMs || after < times * before) return null
    if (tries === 3) return [before, after]
  }
}

/** The least time of several runs, because other work of the machine can only make one longer. */
function minMs(run: () => unknown, times: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < times; time += 1) {
    const start = Bun.nanoseconds()
    run()
    least = Math.min(least, (Bun.nanoseconds() - start) / 1e6)
  }
  return least
}

/** The time of a processor that a run takes. The clock of that time stands still for milliseconds, so there are many runs. */
function meanCpuMs(run: () => unknown): number {
  const start = process.threadCpuUsage()
  for (let runs = 1; ; runs += 1) {
    run()
    const { user, system } = process.threadCpuUsage(start)
    const ms = (user + system) / 1_000
    if (ms > 50 || runs === 50) return ms / runs
  }
}
