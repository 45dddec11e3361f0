/** The time from an instant until another one, which is not in it; null for no bound. */
export type TimeRange = { readonly from: Date | null; readonly to: Date | null }

export const anyTime: TimeRange = { from: null, to: null }

export function isBounded({ from, to }: TimeRange): boolean {
  return from !== null || to !== null
}

/** The parameters of a time in an address. */
export function timeQuery({ from, to }: TimeRange = anyTime): Readonly<Record<'from' | 'to', string | null>> {
  return { from: textOf(from), to: textOf(to) }
}

function textOf(instant: Date | null): string | null {
  return instant?.toISOString().replace('.000Z', 'Z') ?? null
}
