import { categories } from '../../../domain/category.ts'
import { announceProblems, type ProblemCode } from '../../../domain/problem.ts'

export const text = { type: 'string' } as const
const uri = { ...text, format: 'uri' } as const
const time = { ...text, format: 'date-time' } as const
export const integer = { type: 'integer' } as const
/** A reference to one of these. */
export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

export const orNull = <Schema>(schema: Schema) => ({ oneOf: [schema, { type: 'null' }] })

export const category = { ...text, enum: Object.keys(categories) }

/** The schemas of requests and answers, by the names that the paths refer to. */
export function schemas(perMinute: number) {
  const codes = new Set<ProblemCode>([
    ...announceProblems(perMinute),
    'forbidden',
    'not_found',
    'rate_limited',
  ])
  return { ...named, ...Object.fromEntries([...codes].map((code) => [code, problemSchema(code)])) }
}

/** The code is a constant, so that exactly one of two problems with one status fits an answer. */
function problemSchema(code: ProblemCode) {
  if (code === 'unauthorized') return objectOf({ error: { const: 'Unauthorized' } })
  const problem = { error: { const: code }, message: text }
  if (code !== 'validation_error') return objectOf(problem)
  const details = { type: 'object', additionalProperties: { type: 'array', items: text, minItems: 1 } }
  return objectOf({ ...problem, details })
}

type Members = Readonly<Record<string, unknown>>

/** An object of exactly these members, and maybe some of the others. */
function objectOf(members: Members, others: Members = {}) {
  const properties = { ...members, ...others }
  return { type: 'object', required: Object.keys(members), additionalProperties: false, properties }
}

const deployment = {
  id: integer,
  message: text,
  url: orNull(text),
  category: orNull(category),
  deployed_at: time,
  user: objectOf({ id: integer, name: text }),
  status: { const: 'success' },
}

/** Told where they were given. */
const release = { environment: text, version: text, commit: text }

const named = {
  IdentityToken: {
    type: 'object',
    required: ['jwt', 'user'],
    properties: {
      jwt: { ...text, description: 'Of the job, for the audience of this server' },
      user: { ...text, description: 'The username to announce for' },
    },
  },
  Token: objectOf({ token: text, expires_at: time }),
  Deployment: objectOf(deployment, release),
  ListedDeployment: objectOf({ ...deployment, username: text, page: uri }, release),
  DeploymentList: objectOf({
    deployments: { type: 'array', items: reference('ListedDeployment') },
    older: { ...orNull(uri), description: 'The address of the next page' },
  }),
  Withdrawal: objectOf({ id: integer }),
  AccountDeletion: objectOf({ username: text }),
  // Its standard allows members that it does not name; ours has none of them.
  JsonFeed: objectOf(
    {
      version: { const: 'https://jsonfeed.org/version/1.1' },
      title: text,
      home_page_url: uri,
      feed_url: uri,
      language: { const: 'en' },
      items: { type: 'array', items: reference('JsonFeedItem') },
    },
    { next_url: uri },
  ),
  JsonFeedItem: objectOf(
    {
      id: uri,
      url: uri,
      title: text,
      content_text: text,
      date_published: time,
      authors: { type: 'array', items: objectOf({ name: text, url: uri }), minItems: 1 },
    },
    { external_url: uri, tags: { type: 'array', items: category } },
  ),
  Endpoint: objectOf({
    schemaVersion: { const: 1 },
    label: text,
    message: text,
    color: text,
    isError: { type: 'boolean' },
  }),
}
