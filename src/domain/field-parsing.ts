import { lengthProblems, type TextKind, textBounds } from './text-bounds.ts'

/** The reasons to refuse each invalid field, by its name: the `details` of a validation error. */
export type Reasons = Readonly<Record<string, readonly string[]>>

export type Field<Value> =
  | { readonly outcome: 'valid'; readonly value: Value }
  | { readonly outcome: 'invalid'; readonly reasons: readonly string[] }

/** These stand for a form field that was sent more than once, or as a file. */
export const repeatedField = Symbol('repeated field')
export const fileField = Symbol('file')

/** Marks a JSON body that is not an object. */
export const notAnObject = Symbol('no object')

/** Reads a text field. A missing one and null are ''; other types are invalid. */
export function parseText(value: unknown): Field<string> {
  if (value === repeatedField) return invalid('must be given once')
  if (value === fileField) return invalid('must be text, not a file')
  const text = value ?? ''
  return typeof text === 'string' ? valid(text) : invalid('must be a string')
}

/** Makes the guard of a type whose words are the keys of a table. */
export function isKeyOf<Word extends string>(table: Readonly<Record<Word, unknown>>) {
  return (value: unknown): value is Word => typeof value === 'string' && Object.hasOwn(table, value)
}

export function valid<Value>(value: Value): Field<Value> {
  return { outcome: 'valid', value }
}

export function invalid(reason: string): Field<never> {
  return { outcome: 'invalid', reasons: [reason] }
}

/** A field with this value, or an invalid one if there are reasons to refuse it. */
export function fieldOf<Value>(value: Value, reasons: readonly string[]): Field<Value> {
  return reasons.length === 0 ? valid(value) : { outcome: 'invalid', reasons }
}

/** Reads a text field like `parseText`, but as `missing` if it is empty; `reasonsOf` gives reasons to refuse a text. */
export function parseOptional<Missing>(
  value: unknown,
  missing: Missing,
  reasonsOf: (text: string) => readonly string[],
): Field<string | Missing> {
  const text = parseText(value)
  if (text.outcome === 'invalid') return text
  return text.value === '' ? valid(missing) : fieldOf(text.value, reasonsOf(text.value))
}

/** Reads what was typed into a form, without the space around it, unless it is too long. */
export function parseTyped<Value>(
  typed: string,
  kind: TextKind,
  read: (text: string) => Field<Value>,
): Field<Value> {
  const text = typed.trim()
  const tooLong = lengthProblems(text, kind)
  return tooLong.length > 0 ? { outcome: 'invalid', reasons: tooLong } : read(text)
}

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

/** The form in which names are compared whose case does not matter: as Postgres lowers them by the collation "C". */
export function caselessKey(name: string): string {
  return name.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
}

/** Whether nothing in a text is visible (docs/decisions.md#announce). */
export function isBlank(text: string): boolean {
  // Nearly all texts begin with a letter, and this is ten times faster than the expression.
  if (text > '!' && text < '\u007f') return false
  // Annotation marks, the Braille blank and the null notehead are invisible, but in no Unicode class that says so.
  return /^[\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Z}\ufff9-\ufffb\u2800\u{1d159}]*$/u.test(text)
}

const hasOtherBreak = /[\r\u2028\u2029]/

/** The lines of a text as a browser draws them. */
export function linesIn(text: string): string[] {
  return hasOtherBreak.test(text) ? text.split(/\r\n|[\n\r\u2028\u2029]/) : text.split('\n')
}

/** Why a text cannot be stored unchanged: Postgres stores no NUL, and UTF-8 has no lone surrogates. */
export function storageProblems(text: string): string[] {
  return [
    ...(text.includes('\0') ? ["can't contain a NUL character (U+0000)"] : []),
    ...(text.isWellFormed() ? [] : ["can't contain half a surrogate pair: send well-formed Unicode"]),
  ]
}

/** In a row: no language needs more, and Zalgo text is recognized by its first four. */
export const maxMarks = 4

const surplus = new RegExp(`(?<=\\p{M}{${maxMarks}})\\p{M}+`, 'gu')

/**
 * The places, in UTF-16 code units, of the combining marks from the fifth in a row on. They are removed before a text
 * is normalized, which takes quadratic time with them.
 */
export function surplusMarks(text: string): { readonly index: number; readonly length: number }[] {
  return Array.from(text.matchAll(surplus), ({ 0: run, index }) => ({ index, length: run.length }))
}

export function withoutSurplusMarks(text: string): string {
  return text.replace(surplus, '')
}

/** In UTF-16 code units: a host of 253 characters and a port, with some room for escapes. */
export const maxAuthorityLength = 300

/**
 * Parses an address from a user, without surplus marks; null if it is none. Parsing a host takes quadratic time, so its
 * length is checked first.
 */
export function urlOf(text: string): URL | null {
  const [, authority = ''] = /^[^:/\\?#]*:[/\\\s]*([^/\\?#]*)/.exec(text) ?? []
  return authority.length > maxAuthorityLength ? null : URL.parse(withoutSurplusMarks(text))
}

const control = /(?![\t\r\n])\p{Cc}/u
const controls = new RegExp(control, 'gu')

/** Like `storageProblems`, for a text such as a name, in which no control character is allowed. */
export function textProblems(text: string): string[] {
  const found = control.exec(text)?.[0]
  if (found === undefined) return storageProblems(text)
  return [
    `can't contain control characters (${codePointOf(found)})`,
    ...storageProblems(text.replaceAll('\0', '')),
  ]
}

/** The reasons to refuse a text of one line, such as a name. */
export function oneLineProblems(text: string, kind: TextKind): readonly string[] {
  const tooLong = lengthProblems(text, kind)
  // Of a text that is far too long, nothing else is read.
  if (text.length > 2 * textBounds[kind]) return tooLong
  if (isBlank(text)) return ["can't be blank"]
  return [
    ...tooLong,
    ...(/[\t\r\n\u2028\u2029]/.test(text) ? ['must be one line, without tabs'] : []),
    // They would be drawn over the line above.
    ...(surplusMarks(text).length > 0
      ? [`can't have more than ${maxMarks} combining marks on a letter`]
      : []),
    ...(hasBidiControl(text) ? ["can't contain characters that change the direction of the text"] : []),
    ...textProblems(text),
  ]
}

/** Replaces control characters except tab, CR and LF by their Unicode pictures, or by U+FFFD. */
export function withControlPictures(text: string): string {
  return text.replace(controls, (character) => {
    const code = character.charCodeAt(0)
    if (code === 0x7f) return '\u2421'
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\uFFFD'
  })
}

/** Whether a text contains a character that changes the direction of the text around it. */
export function hasBidiControl(text: string): boolean {
  return /\p{Bidi_Control}/u.test(text)
}

function codePointOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** The member at a path such as `deployment.id`; undefined if there is none. */
export function memberOf(event: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined), event)
}

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
