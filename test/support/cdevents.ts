const text = { type: 'string', minLength: 1 }
const objectOf = (required: Members, others: Members = {}) => ({
  type: 'object',
  required: Object.keys(required),
  additionalProperties: false,
  properties: { ...required, ...others },
})

type Members = Readonly<Record<string, unknown>>

export const predicates = ['deployed', 'upgraded', 'published', 'rolledback'] as const
export type Predicate = (typeof predicates)[number]

/** What each version of the events has of its own: how it names the version of CDEvents, and what it added. */
const generations = {
  '0.1.0': { specversion: 'version', cdevents: '0.1.2', context: {}, subject: { type: text } },
  '0.1.1': {
    specversion: 'version',
    cdevents: '0.3.0',
    context: {},
    subject: { type: { const: 'service' } },
  },
  '0.2.0': {
    specversion: 'version',
    cdevents: '0.4.1',
    context: { chainId: text, schemaUri: text, links: { type: 'array' } },
    subject: { type: { const: 'service' } },
  },
  '0.3.0': {
    specversion: 'specversion',
    cdevents: '0.5.1',
    context: { chainId: text, schemaUri: text, links: { type: 'array' } },
    subject: {},
  },
} as const
export type EventVersion = keyof typeof generations
export const eventVersions = Object.keys(generations) as EventVersion[]

/** What the schemas of CDEvents say of an event of a service: its members, those required, and that no others exist. */
export function schemaOf(predicate: Predicate, version: EventVersion) {
  const { specversion, context, subject } = generations[version]
  const environment = objectOf({ id: text }, { source: text })
  const content =
    predicate === 'published' ? objectOf({}, { environment }) : objectOf({ environment, artifactId: text })
  const type = { const: `dev.cdevents.service.${predicate}.${version}` }
  return objectOf(
    {
      context: objectOf({ [specversion]: text, id: text, source: text, type, timestamp: text }, context),
      subject: objectOf({ id: text, content, ...subject }, { source: text }),
    },
    { customData: { oneOf: [{ type: 'object' }, text] }, customDataContentType: text },
  )
}

type Facts = {
  readonly id?: string
  readonly source?: string
  readonly service?: string
  readonly environment?: string
  readonly artifactId?: string
  readonly customData?: unknown
}

/** An event of a service as a sender of that version writes it, with all that it may hold. */
export function cdevent(predicate: Predicate, version: EventVersion, facts: Facts = {}) {
  const { specversion, cdevents, context, subject } = generations[version]
  const { id = crypto.randomUUID(), source = '/ci/1', service = 'engine', environment = 'production' } = facts
  const { artifactId = 'pkg:oci/engine@v2.4.0?tag=latest', customData } = facts
  const newer = { chainId: '4c8cb7dd', schemaUri: 'http://127.0.0.1:1/never-fetched', links: [] }
  return {
    context: {
      [specversion]: cdevents,
      ...{
        id,
        source,
        type: `dev.cdevents.service.${predicate}.${version}`,
        timestamp: '2026-11-22T10:00:00Z',
      },
      ...('chainId' in context ? newer : {}),
    },
    subject: {
      id: service,
      source: '/cluster/1',
      ...('type' in subject ? { type: 'service' } : {}),
      content: { environment: { id: environment }, ...(predicate === 'published' ? {} : { artifactId }) },
    },
    ...(customData === undefined ? {} : { customData }),
  }
}
