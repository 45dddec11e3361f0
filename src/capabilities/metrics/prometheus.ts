export const textFormat = 'text/plain; version=0.0.4; charset=utf-8'

type Labels = Readonly<Record<string, string>>

/** One number. The suffix is a histogram's `_bucket`, `_sum` or `_count`. */
type Sample = { readonly suffix?: string; readonly labels?: Labels | undefined; readonly value: number }

export type Description = { readonly name: string; readonly help: string }

/** All samples of one name; Prometheus requires them to be consecutive. */
export type Family = Description & {
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

type CounterOptions = Description & { readonly label: string; readonly known: readonly string[] }

/** A counter with one label, written in lower case. Its `known` values start at 0 instead of being absent. */
export function counter({ label, known, ...description }: CounterOptions) {
  const counts = new Map(known.map((value) => [value, 0]))
  return {
    ...description,
    type: 'counter' as const,
    count(value: string): void {
      counts.set(value, (counts.get(value) ?? 0) + 1)
    },
    read: () => [...counts].map(([of, value]) => ({ labels: { [label]: of.toLowerCase() }, value })),
  }
}

/** A histogram. `bounds` are the inclusive upper bounds of the buckets, in ascending order. */
export function histogram({ bounds, ...description }: Description & { readonly bounds: readonly number[] }) {
  const all = new Map<string, Series>()
  return {
    ...description,
    type: 'histogram' as const,
    /** The series of these label values, which are always given in the same order. */
    series: (labels: Labels = {}): Series =>
      all.getOrInsertComputed(Object.values(labels).join(' '), () => seriesOf(labels, bounds)),
    read: () => [...all.values()].flatMap((series) => series.samples()),
  }
}

type Series = ReturnType<typeof seriesOf>

/** One series of a histogram. Its label values come from small fixed sets and never from user input. */
function seriesOf(labels: Labels, bounds: readonly number[]) {
  const inBucket = new Float64Array(bounds.length + 1)
  let sum = 0
  return {
    observe(measured: number): void {
      let bucket = 0
      while (bucket < bounds.length && measured > (bounds[bucket] as number)) bucket += 1
      inBucket[bucket] = (inBucket[bucket] as number) + 1
      sum += measured
    },
    samples(): readonly Sample[] {
      let value = 0
      const buckets = [...inBucket].map((count, n) => {
        value += count
        const le = numberText(bounds[n] ?? Number.POSITIVE_INFINITY)
        return { suffix: '_bucket', labels: { ...labels, le }, value }
      })
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value }]
    },
  }
}

/** A metric whose value is read at each scrape; null leaves it out. */
export function reading(
  type: 'counter' | 'gauge',
  { labels, ...description }: Description & { readonly labels?: Labels },
  read: () => number | null | Promise<number | null>,
): Family {
  return {
    ...description,
    type,
    async read() {
      const value = await read()
      return value === null ? [] : [{ value, labels }]
    },
  }
}
