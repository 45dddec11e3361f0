import { type Family, type Labels, numberText, type Sample } from './text.ts'

type Description = { readonly name: string; readonly help: string }

/** Counts what happens, by one label. Its `known` values begin at 0 instead of nowhere; they are told in lower case. */
export class Counter implements Family {
  readonly type = 'counter'
  readonly name: string
  readonly help: string
  private readonly label: string
  private readonly counts = new Map<string, { count: number }>()

  constructor({ name, help, label, known }: Description & { label: string; known: readonly string[] }) {
    this.name = name
    this.help = help
    this.label = label
    for (const value of known) this.counts.set(value, { count: 0 })
  }

  count(value: string): void {
    const known = this.counts.get(value)
    if (known === undefined) this.counts.set(value, { count: 1 })
    else known.count += 1
  }

  read(): readonly Sample[] {
    return [...this.counts].map(([value, { count }]) => ({
      labels: { [this.label]: value.toLowerCase() },
      value: count,
    }))
  }
}

/** Sorts what is measured into buckets, in one series for each combination of label values. */
export class Histogram implements Family {
  readonly type = 'histogram'
  readonly name: string
  readonly help: string
  private readonly bounds: readonly number[]
  private readonly all: Series[] = []

  /** `bounds` are the upper ones of the buckets, the lowest first; each is within its bucket. */
  constructor({ name, help, bounds }: Description & { readonly bounds: readonly number[] }) {
    this.name = name
    this.help = help
    this.bounds = bounds
  }

  /** Adds a series, for the caller to keep. */
  series(labels: Labels = {}): Series {
    const series = new Series(labels, this.bounds)
    this.all.push(series)
    return series
  }

  read(): readonly Sample[] {
    return this.all.flatMap((series) => series.samples())
  }
}

/** One series of a histogram. The values of its labels are few: never what a user typed. */
export class Series {
  private readonly labels: Labels
  private readonly bounds: readonly number[]
  private readonly inBucket: Float64Array
  private sum = 0

  constructor(labels: Labels, bounds: readonly number[]) {
    this.labels = labels
    this.bounds = bounds
    this.inBucket = new Float64Array(bounds.length + 1)
  }

  observe(measured: number): void {
    let bucket = 0
    while (bucket < this.bounds.length && measured > (this.bounds[bucket] as number)) bucket += 1
    this.inBucket[bucket] = (this.inBucket[bucket] as number) + 1
    this.sum += measured
  }

  samples(): readonly Sample[] {
    const { labels, bounds, sum } = this
    let value = 0
    const buckets = [...this.inBucket].map((count, n) => {
      value += count
      const le = numberText(bounds[n] ?? Number.POSITIVE_INFINITY)
      return { suffix: '_bucket', labels: { ...labels, le }, value }
    })
    return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value }]
  }
}

/** A number that is read when somebody asks; null where there is none now. */
export function reading(
  type: 'counter' | 'gauge',
  { name, help, labels }: Description & { readonly labels?: Labels },
  read: () => number | null | Promise<number | null>,
): Family {
  return {
    name,
    help,
    type,
    async read() {
      const value = await read()
      return value === null ? [] : [{ value, ...(labels === undefined ? {} : { labels }) }]
    },
  }
}
