import type { Cpu } from './cpu.ts'

/** The figures of one round, with latencies in ms. A tool that does not report latencies gives NaN. */
export type Figures = {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly cpu: Cpu
}

/**
 * Measures several things in turn, A B C A B C …, so that noise of the machine affects them alike, and returns the
 * median of each figure. The first round is to warm up, and does not count.
 */
export async function alternate<Name extends string>(
  measures: Readonly<Record<Name, () => Promise<Figures>>>,
  rounds: number,
): Promise<Record<Name, Figures>> {
  const names = Object.keys(measures) as Name[]
  const measured = new Map<Name, Figures[]>(names.map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const figures = await measures[name]()
      if (round > 0) measured.get(name)?.push(figures)
    }
  }
  const medians = names.map((name) => [name, mediansOf(measured.get(name) ?? [])])
  return Object.fromEntries(medians) as Record<Name, Figures>
}

/** A quantile of these values: 0.5 is the median. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

function mediansOf(rounds: readonly Figures[]): Figures {
  const median = (of: (figures: Figures) => number) => percentile(rounds.map(of), 0.5)
  const orNull = (of: (cpu: Cpu) => number | null) => {
    const values = rounds.map(({ cpu }) => of(cpu)).filter((value) => value !== null)
    return values.length === 0 ? null : percentile(values, 0.5)
  }
  return {
    rate: median(({ rate }) => rate),
    p50: median(({ p50 }) => p50),
    p99: median(({ p99 }) => p99),
    cpu: { own: orNull(({ own }) => own), postgres: orNull(({ postgres }) => postgres) },
  }
}
