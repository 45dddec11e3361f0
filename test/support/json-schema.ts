type Schema = Readonly<Record<string, unknown>>

/** Keywords that say nothing of a value. */
const annotations = new Set(['description', 'format'])

/**
 * Whether a value fits a schema, in the part of JSON Schema that our OpenAPI document uses; another keyword
 * throws, so that nothing passes unseen. References lead to `schemas`.
 */
export function fits(value: unknown, schema: Schema, schemas: Readonly<Record<string, Schema>>): boolean {
  const within = (inner: unknown, part: unknown) => fits(inner, part as Schema, schemas)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const members = isObject ? (value as Readonly<Record<string, unknown>>) : {}

  const keywords: Readonly<Record<string, (wanted: never) => boolean>> = {
    $ref: (path: string) => within(value, named(path)),
    oneOf: (options: Schema[]) => options.filter((option) => within(value, option)).length === 1,
    const: (wanted: unknown) => value === wanted,
    enum: (wanted: unknown[]) => wanted.includes(value),
    type: (wanted: string) => typeOf(value) === wanted,
    required: (names: string[]) => names.every((name) => Object.hasOwn(members, name)),
    properties: (parts: Record<string, Schema>) =>
      Object.entries(members).every(([name, member]) => !(name in parts) || within(member, parts[name])),
    additionalProperties: (wanted: boolean | Schema) =>
      Object.entries(members).every(([name, member]) => {
        if (name in ((schema.properties as object | undefined) ?? {})) return true
        return typeof wanted === 'boolean' ? wanted : within(member, wanted)
      }),
    items: (part: Schema) => (value as unknown[]).every((item) => within(item, part)),
    minItems: (least: number) => (value as unknown[]).length >= least,
    minLength: (least: number) => (value as string).length >= least,
    maxLength: (most: number) => (value as string).length <= most,
  }

  return Object.entries(schema)
    .filter(([keyword]) => !annotations.has(keyword))
    .every(([keyword, wanted]) => {
      const holds = keywords[keyword]
      if (holds === undefined) throw new Error(`This validator does not know "${keyword}"`)
      return holds(wanted as never)
    })

  function named(path: string): Schema {
    const found = schemas[path.replace('#/components/schemas/', '')]
    if (found === undefined) throw new Error(`No schema at ${path}`)
    return found
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
