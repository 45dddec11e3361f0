/** Lines with correct sums, as a deliberate forger would write them. */
export function summed(lines: readonly string[]): string[] {
  const told = JSON.parse(lines.at(-1) ?? '') as { rows: Record<string, number> }
  const body = lines.slice(0, -1)
  const sha256 = new Bun.CryptoHasher('sha256').update(`${body.join('\n')}\n`).digest('hex')
  return [...body, JSON.stringify({ ...told, sha256 })]
}

/** Changes the nth line of a table's section. The first line names the table. */
export function changed(
  lines: string[],
  table: string,
  n: number,
  change: (line: string) => string,
): string[] {
  const place = lines.findIndex((line) => line.startsWith(`{"table":${table}`)) + n
  const line = lines[place] ?? ''
  const other = change(line)
  if (other === line) throw new Error(`Nothing was changed in ${line}`)
  return lines.with(place, other)
}

/** Changes the first row of a table. */
export function changing(table: string, change: (row: string) => string): (lines: string[]) => string[] {
  return (lines) => changed(lines, `"${table}"`, 1, change)
}

/** Gives the first row of a table another value in a column. */
export function withValue(table: string, column: string, value: unknown): (lines: string[]) => string[] {
  return changing(table, (row) => JSON.stringify({ ...JSON.parse(row), [column]: value }))
}
