import type { Operation, Operations } from './parts.ts'

/** What a capability adds to the OpenAPI document. */
export type ApiDescription = {
  readonly tags?: readonly ApiTag[]
  readonly operations?: Operations
  /** What it adds to operations of others, where they are. */
  readonly additions?: Readonly<Record<string, Addition>>
  /** What it sends to receivers, by the type of the event. */
  readonly webhooks?: Readonly<Record<string, object>>
  readonly schemas?: Readonly<Record<string, object>>
  /** Its addresses that a token opens and a read key does not, where only members may read. */
  readonly byTokenAlone?: readonly string[]
}

export type ApiTag = {
  readonly name: string
  readonly description: string
  /** Whether only members may read its addresses, where that is set; its description then says so. */
  readonly isFeed?: boolean
}

type Addition = Partial<Pick<Operation, 'parameters' | 'responses'>> & {
  /** Other bodies that it takes. */
  readonly content?: NonNullable<Operation['requestBody']>['content']
}

/** The operations, with what each description adds to those of others. */
export function operationsWith(core: Operations, added: readonly ApiDescription[]): Operations {
  const all: Operations = Object.assign({}, core, ...added.map(({ operations }) => operations))
  return Object.fromEntries(
    Object.entries(all).map(([name, operation]) => {
      const additions = added.flatMap(({ additions = {} }) => additions[name] ?? [])
      return [name, additions.reduce(extended, operation)]
    }),
  )
}

function extended(
  operation: Operation,
  { parameters = [], content = {}, responses = {} }: Addition,
): Operation {
  const { requestBody } = operation
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), ...parameters],
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...requestBody, content: eitherOf(requestBody.content, content) } }),
    responses: { ...operation.responses, ...responses },
  }
}

type Content = Readonly<Record<string, { readonly schema: object }>>

/** The bodies of both. A media type of both takes either. */
function eitherOf(one: Content, other: Content): Content {
  const both = Object.entries(other).map(([type, media]) => {
    const known = one[type]
    return [type, known === undefined ? media : { schema: { anyOf: [known.schema, media.schema] } }]
  })
  return { ...one, ...Object.fromEntries(both) }
}
