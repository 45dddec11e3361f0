import type { ColumnRules } from '../../data/table-uses/column-rules.ts'
import { isObject } from '../../domain/field-parsing.ts'
import { type DumpedRow, DumpRefused, rowAdvice } from './read.ts'

type Row = Readonly<Record<string, unknown>>

type Section = {
  readonly name: string
  readonly rules: ColumnRules
  readonly columns: readonly string[]
}

/** A row with exactly these columns, written again so that we store what was checked. Throws DumpRefused. */
export function checkedRow(dumped: DumpedRow, { name: table, rules, columns }: Section): string {
  const { line } = dumped
  const row = parsed(dumped.text)
  if (row === null) throw new DumpRefused(`it was altered: its line ${line}, of ${table}, is not a row`)
  const names = Object.keys(row)
  const isWhole = names.length === columns.length && names.every((name) => columns.includes(name))
  if (!isWhole)
    throw new DumpRefused(`it was altered: its line ${line}, a row of ${table}, has other columns`)
  for (const name of names) {
    const [reason] = isFlat(row[name]) ? (rules[name]?.(row[name], row) ?? []) : ['must be one value']
    if (reason === undefined) continue
    throw new DumpRefused(
      `its line ${line}, a row of ${table}, was altered or breaks a rule (${name} ${reason}): ${rowAdvice}`,
    )
  }
  return JSON.stringify(row)
}

function parsed(text: string): Row | null {
  try {
    const row: unknown = JSON.parse(text)
    return isObject(row) ? row : null
  } catch {
    return null
  }
}

/** A column holds a text, a boolean, a safe integer, null, or a list of these. */
function isFlat(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isScalar) : isScalar(value)
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isSafeInteger(value)
}
