/** The reasons to refuse each invalid field, by its name: the `details` of a validation error. */
export type Reasons = Readonly<Record<string, readonly string[]>>

/** A field that was read from a body: its value, or the reasons to refuse it. */
export type Field<Value> =
  | { readonly outcome: 'valid'; readonly value: Value }
  | { readonly outcome: 'invalid'; readonly reasons: readonly string[] }

/** What the body reader puts in place of a form field that was sent more than once, or as a file. */
export const repeatedField = Symbol('repeated field')
export const fileField = Symbol('file')

/** The key that the body reader adds to mark a JSON body that is not an object. */
export const isNoObject = Symbol('no object')

/** Reads a text field. A missing field and null are read as ''; other types are invalid, never converted. */
export function parseText(value: unknown): Field<string> {
  if (value === repeatedField) return invalid('must be given once')
  if (value === fileField) return invalid('must be text, not a file')
  const text = value ?? ''
  return typeof text === 'string' ? valid(text) : invalid('must be a string')
}

/** A valid field. */
export function valid<Value>(value: Value): Field<Value> {
  return { outcome: 'valid', value }
}

/** A field that is refused for one reason. */
export function invalid(reason: string): Field<never> {
  return { outcome: 'invalid', reasons: [reason] }
}

/** A field with this value, or an invalid one if there are reasons to refuse it. */
export function fieldOf<Value>(value: Value, reasons: readonly string[]): Field<Value> {
  return reasons.length === 0 ? valid(value) : { outcome: 'invalid', reasons }
}

/** A form that was read: the values of its fields, or the reasons to refuse the invalid ones. */
export type ParsedForm<Values> =
  | { readonly outcome: 'valid'; readonly values: Values }
  | { readonly outcome: 'invalid'; readonly reasons: Reasons }

/** The values of all these fields, or the reasons to refuse the invalid ones. */
export function allValid<Values extends Readonly<Record<string, unknown>>>(
  fields: { readonly [Name in keyof Values]: Field<Values[Name]> },
): ParsedForm<Values> {
  const values: Record<string, unknown> = {}
  const reasons: Record<string, readonly string[]> = {}
  let isValid = true
  // A loop, because each announcement is read by it.
  for (const name in fields) {
    const field: Field<unknown> = fields[name]
    if (field.outcome === 'valid') {
      values[name] = field.value
    } else {
      reasons[name] = field.reasons
      isValid = false
    }
  }
  return isValid ? { outcome: 'valid', values: values as Values } : { outcome: 'invalid', reasons }
}
