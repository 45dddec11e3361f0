/** What METRICS_PORT answers with: the text format of Prometheus, which every collector reads. */
export const textFormat = 'text/plain; version=0.0.4; charset=utf-8'

export type Labels = Readonly<Record<string, string>>

/** One number. The suffix is a histogram's `_bucket`, `_sum` or `_count`. */
export type Sample = { readonly suffix?: string; readonly labels?: Labels; readonly value: number }

/** All numbers of one name, which Prometheus wants together. */
export type Family = {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  read(): readonly Sample[] | Promise<readonly Sample[]>
}

/** Reads every family now. */
export async function textOf(families: readonly Family[]): Promise<string> {
  return (await Promise.all(families.map(familyText))).join('')
}

async function familyText(family: Family): Promise<string> {
  const { name, help, type } = family
  const lines = (await family.read()).map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${numberText(value)}\n`,
  )
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

export function numberText(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value)
}
