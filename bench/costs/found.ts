import { percentile } from '../rounds.ts'

/** The figures of one round, by name. */
export type Found = Readonly<Record<string, number>>

/** The median of each figure over all rounds, because noise of the machine affects all figures alike. */
export function mediansOf(rounds: readonly Found[]): Found {
  const names = Object.keys(rounds[0] ?? {})
  const median = (name: string) =>
    percentile(
      rounds.map((round) => round[name] ?? Number.NaN),
      0.5,
    )
  return Object.fromEntries(names.map((name) => [name, median(name)]))
}
