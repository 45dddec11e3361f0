import { isObject } from '../../domain/field-parsing.ts'

/** The most characters of a message that a model is given. */
export const maxOfMessage = 500

/** The beginning of a message, in whole characters. */
export function beginningOf(message: string): string {
  return [...message].slice(0, maxOfMessage).join('')
}

/** A parameter of a tool, as a JSON schema. */
export type ToolParameter = {
  readonly type: 'string' | 'integer'
  readonly description: string
  /** In characters. */
  readonly maxLength?: number
}

export type Signature = {
  readonly name: string
  readonly parameters: Readonly<Record<string, ToolParameter>>
  readonly required: readonly string[]
}

type Arguments =
  | { readonly outcome: 'given'; readonly given: Readonly<Record<string, string>> }
  | { readonly outcome: 'refused'; readonly reason: string }

/** Reads the arguments of a call as texts, without empty ones. The reason to refuse them says what to send. */
export function argumentsIn({ name, parameters, required }: Signature, value: unknown = {}): Arguments {
  const wrong = (reason: string) => ({ outcome: 'refused', reason }) as const
  if (!isObject(value)) return wrong('The "arguments" must be an object.')
  const given: Record<string, string> = {}
  for (const [argument, content] of Object.entries(value)) {
    const parameter = Object.hasOwn(parameters, argument) ? parameters[argument] : undefined
    if (parameter === undefined) return wrong(`${name} takes only ${Object.keys(parameters).join(', ')}.`)
    if (content === null) continue
    const isText = typeof content === 'string'
    if (!isText && (typeof content !== 'number' || parameter.type !== 'integer'))
      return wrong(`"${argument}" must be ${parameter.type === 'integer' ? 'a whole number' : 'a text'}.`)
    const text = String(content)
    const { maxLength: max = 64 } = parameter
    if (text.length > max) return wrong(`"${argument}" may have at most ${max} characters.`)
    if (text.trim() !== '') given[argument] = text
  }
  const missing = required.find((argument) => given[argument] === undefined)
  return missing === undefined ? { outcome: 'given', given } : wrong(`${name} needs "${missing}".`)
}
