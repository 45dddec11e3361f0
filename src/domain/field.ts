import type { Reasons } from './reasons.ts'

/** A field of a body as it was read: its value, or the reasons to refuse it. */
export type Field<Value> = { ok: true; value: Value } | { ok: false; reasons: readonly string[] }

/** What the body reader puts in place of a form field that came more than once, or as a file. */
export const repeatedField = Symbol('repeated field')
export const fileField = Symbol('file')

/** The text of a field; absent and null are empty. Nothing is coerced. */
export function parseText(value: unknown): Field<string> {
  if (value === repeatedField) return { ok: false, reasons: ['must be given once'] }
  if (value === fileField) return { ok: false, reasons: ['must be text, not a file'] }
  const text = value ?? ''
  return typeof text === 'string' ? { ok: true, value: text } : { ok: false, reasons: ['must be a string'] }
}

/** A field with this value, unless there are reasons against it. */
export function fieldOf<Value>(value: Value, reasons: readonly string[]): Field<Value> {
  return reasons.length === 0 ? { ok: true, value } : { ok: false, reasons }
}

/** The reasons of all invalid fields, by their names. */
export function reasonsOf(fields: Readonly<Record<string, Field<unknown>>>): Reasons {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field.ok ? [] : [[name, field.reasons]])),
  )
}
