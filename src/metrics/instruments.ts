import { type Family, type Labels, numberText, type Sample } from './text.ts'

type Description = { readonly name: string; readonly help: string }

/** The labels that tell the series of a family apart. Their values are few: never what a user typed. */
type Labelled = Description & { readonly labels: readonly string[] }

/** Counts what happens, for each combination of label values; `known` ones begin at 0 instead of nowhere. */
export class Counter implements Family {
  readonly type = 'counter'
  readonly name: string
  readonly help: string
  private readonly label: string
  private readonly counts = new Map<string, number>()

  constructor({ name, help, label, known }: Description & { label: string; known: readonly string[] }) {
    this.name = name
    this.help = help
    this.label = label
    for (const value of known) this.counts.set(value, 0)
  }

  count(value: string): void {
    this.counts.set(value, (this.counts.get(value) ?? 0) + 1)
  }

  read(): readonly Sample[] {
    return [...this.counts].map(([value, count]) => ({ labels: { [this.label]: value }, value: count }))
  }
}

type Series = { readonly labels: Labels; readonly inBucket: Float64Array; sum: number }

/** Sorts what is measured into buckets, for each combination of label values. */
export class Histogram implements Family {
  readonly type = 'histogram'
  readonly name: string
  readonly help: string
  private readonly labels: readonly string[]
  private readonly bounds: readonly number[]
  private readonly series = new Map<string, Series>()

  /** `bounds` are the upper ones, the lowest first; each is within its bucket. */
  constructor({ name, help, labels, bounds }: Labelled & { readonly bounds: readonly number[] }) {
    this.name = name
    this.help = help
    this.labels = labels
    this.bounds = bounds
    if (labels.length === 0) this.seriesOf([])
  }

  observe(measured: number, ...labelValues: readonly string[]): void {
    const series = this.seriesOf(labelValues)
    let bucket = 0
    while (bucket < this.bounds.length && measured > (this.bounds[bucket] as number)) bucket += 1
    series.inBucket[bucket] = (series.inBucket[bucket] as number) + 1
    series.sum += measured
  }

  read(): readonly Sample[] {
    return [...this.series.values()].flatMap(({ labels, inBucket, sum }) => {
      let value = 0
      const buckets = [...inBucket].map((count, n) => {
        value += count
        const le = numberText(this.bounds[n] ?? Number.POSITIVE_INFINITY)
        return { suffix: '_bucket', labels: { ...labels, le }, value }
      })
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value }]
    })
  }

  private seriesOf(labelValues: readonly string[]): Series {
    const key = labelValues.join(' ')
    const known = this.series.get(key)
    if (known !== undefined) return known
    const labels = Object.fromEntries(this.labels.map((name, n) => [name, labelValues[n] ?? '']))
    const added = { labels, inBucket: new Float64Array(this.bounds.length + 1), sum: 0 }
    this.series.set(key, added)
    return added
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
