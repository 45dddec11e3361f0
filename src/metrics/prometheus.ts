/** The media type of the Prometheus text format, which every collector reads. */
export const textFormat = 'text/plain; version=0.0.4; charset=utf-8'

export type Labels = Readonly<Record<string, string>>

/** One number. The suffix is a histogram's `_bucket`, `_sum` or `_count`. */
export type Sample = {
  readonly suffix?: string
  readonly labels?: Labels | undefined
  readonly value: number
}

/** All samples of one name; Prometheus requires them to be consecutive. */
export type Family = {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  read(): readonly Sample[] | Promise<readonly Sample[]>
}

/** The present values of all families in the Prometheus text format. */
export async function textOf(families: readonly Family[]): Promise<string> {
  const texts = families.map(async (family) => {
    const { name, help, type } = family
    const lines = (await family.read()).map(
      ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${numberText(value)}\n`,
    )
    return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
  })
  return (await Promise.all(texts)).join('')
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function numberText(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value)
}

type Description = Pick<Family, 'name' | 'help'>

/** A counter with one label, written in lower case. Its `known` values start at 0 instead of being absent. */
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

/** A histogram with one series for each combination of label values. */
export class Histogram implements Family {
  readonly type = 'histogram'
  readonly name: string
  readonly help: string
  private readonly bounds: readonly number[]
  private readonly all: Series[] = []

  /** `bounds` are the inclusive upper bounds of the buckets, in ascending order. */
  constructor({ name, help, bounds }: Description & { readonly bounds: readonly number[] }) {
    this.name = name
    this.help = help
    this.bounds = bounds
  }

  /** Adds a series and returns it; the caller keeps it. */
  series(labels: Labels = {}): Series {
    const series = new Series(labels, this.bounds)
    this.all.push(series)
    return series
  }

  read(): readonly Sample[] {
    return this.all.flatMap((series) => series.samples())
  }
}

/** One series of a histogram. Its label values come from small fixed sets and never from user input. */
export class Series {
  private readonly inBucket: Float64Array
  private sum = 0

  constructor(
    private readonly labels: Labels,
    private readonly bounds: readonly number[],
  ) {
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

/** A metric whose value is read at each scrape; null leaves it out. */
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
      return value === null ? [] : [{ value, labels }]
    },
  }
}
