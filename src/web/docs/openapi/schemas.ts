import { tokenRights } from '../../../domain/account/token-rights.ts'
import { usernamePattern } from '../../../domain/account/user.ts'
import { timestampPattern, toleranceMinutes } from '../../../domain/announcement/announcement.ts'
import { acceptedEvents } from '../../../domain/announcement/cdevent.ts'
import { categories } from '../../../domain/category.ts'
import { entriesOfFeed, pageLimits } from '../../../domain/feed/feed.ts'
import { announceProblems, type ProblemCode } from '../../../domain/problems.ts'
import { commitPattern, environmentPattern } from '../../../domain/release.ts'
import { textBounds } from '../../../domain/text-bounds.ts'
import { largestId } from '../../../http/query-parameters.ts'

export const text = { type: 'string' }
export const uri = { ...text, format: 'uri' }
const filled = { ...text, minLength: 1 }
export const time = { ...text, format: 'date-time' }
export const integer = { type: 'integer' }
export const idSchema = { ...integer, minimum: 1, maximum: largestId }
/** The id of a deployment, which is negative if it is from history. */
export const idOfDeployment = { ...integer, minimum: -largestId, maximum: largestId, not: { const: 0 } }
export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

export const orNull = <Schema>(schema: Schema) => ({ oneOf: [schema, { type: 'null' }] })

export const username = { ...filled, maxLength: textBounds.username, pattern: usernamePattern }
/** The limit is in bytes of UTF-8, which a schema cannot count; a message has at most as many characters. */
export const message = { ...filled, maxLength: textBounds.message }
export const environment = { ...text, pattern: environmentPattern }
export const version = { ...filled, maxLength: textBounds.version }
export const commit = { ...text, pattern: commitPattern }
export const category = { ...text, enum: Object.keys(categories) }

/** The schemas of requests, answers and problems, by the names that the paths refer to. */
export function schemas(perMinute: number) {
  const codes = new Set<ProblemCode>([...announceProblems(perMinute), 'not_found', 'rate_limited'])
  const ofProblems = Object.fromEntries([...codes].map((code) => [code, problemSchema(code)]))
  return { ...ofRequests, ...ofAnswers, ...ofProblems }
}

export const details = { type: 'object', additionalProperties: { type: 'array', items: text, minItems: 1 } }

/** The code is a constant, so that an answer fits only one of two problems that share a status. */
function problemSchema(code: ProblemCode) {
  if (code === 'unauthorized') return objectOf({ error: { const: 'Unauthorized' } })
  const ofFields = code === 'validation_error' ? { details } : {}
  return objectOf({ error: { const: code }, message: text, ...ofFields })
}

type Members = Readonly<Record<string, unknown>>

/** An object with all of these members, perhaps some of the others, and perhaps further ones. */
export function holding(members: Members, others: Members = {}) {
  return { type: 'object', required: Object.keys(members), properties: { ...members, ...others } }
}

/** The same without further members. */
export const objectOf = (members: Members, others?: Members) => ({
  ...holding(members, others),
  additionalProperties: false,
})

const name = { ...filled, maxLength: textBounds.displayName }

const deployment = {
  id: idOfDeployment,
  message,
  url: orNull({ ...text, maxLength: textBounds.link }),
  category: orNull(category),
  deployed_at: time,
  user: objectOf({ id: idSchema, name }),
  username,
  status: { const: 'success' },
  page: uri,
}

const verified = objectOf({ issuer: uri, repository: text, workflow: orNull(text) })

/** Present only if they were sent, or if the identity of a publisher said or proved them. */
const release = { environment, version, commit, verified }

/** The deployment in a message that tries a webhook. */
export const madeUpDeployment = objectOf({ ...deployment, id: { const: 0 } }, release)

const ofAnswers = {
  IdentityToken: holding({
    jwt: { ...filled, description: 'The identity token of the job, for the audience of this server' },
    user: { ...username, description: 'The username to announce for' },
  }),
  Token: objectOf({ token: text, expires_at: time }),
  TokenFacts: objectOf({
    name: { ...orNull(filled), description: 'Null for a token of a publisher' },
    may: { type: 'array', items: { ...text, enum: Object.keys(tokenRights) } },
    targets: { type: 'array', items: text, description: 'Hosts and projects; empty for all' },
    environments: { type: 'array', items: environment, description: 'Empty for all' },
    expires_at: { ...orNull(time), description: 'Null for no end' },
  }),
  Deployment: objectOf(deployment, { ...release, imported: { const: true } }),
  CheckedDeployment: objectOf({ ...deployment, id: { type: 'null' }, page: { type: 'null' } }, release),
  DeploymentList: objectOf({
    deployments: { type: 'array', items: reference('Deployment'), maxItems: pageLimits.max },
    older: { ...orNull(uri), description: 'The address of the next page' },
  }),
  Current: objectOf({ current: { type: 'array', items: reference('CurrentDeployment') } }),
  CurrentDeployment: objectOf({
    target: text,
    environment,
    version: orNull(version),
    commit: orNull(commit),
    url: uri,
    deployed_at: time,
    id: idOfDeployment,
    page: uri,
  }),
  Withdrawal: objectOf({ id: idSchema }),
  AccountDeletion: objectOf({ username }),
  // The standard allows further members; ours has none.
  JsonFeed: objectOf(
    {
      version: { const: 'https://jsonfeed.org/version/1.1' },
      title: text,
      home_page_url: uri,
      feed_url: uri,
      language: { const: 'en' },
      items: { type: 'array', items: reference('JsonFeedItem'), maxItems: entriesOfFeed },
    },
    { next_url: uri },
  ),
  JsonFeedItem: objectOf(
    {
      id: uri,
      url: uri,
      title: text,
      content_text: message,
      content_html: text,
      date_published: time,
      authors: { type: 'array', items: objectOf({ name, url: uri }), minItems: 1, maxItems: 1 },
    },
    { external_url: uri, tags: { type: 'array', items: category, minItems: 1, maxItems: 1 } },
  ),
  Endpoint: objectOf({
    schemaVersion: { const: 1 },
    label: text,
    message: text,
    color: text,
    isError: { type: 'boolean' },
  }),
}

/** The same as omitted. Not an enum, because Spectral breaks on null in an enum. */
const nothing = [{ ...text, maxLength: 0 }, { type: 'null' }]

export const optional = (schema: object, description: string) => ({
  anyOf: [schema, ...nothing],
  description,
})

const deployed = {
  type: 'object',
  properties: {
    environment: holding({ id: filled }),
    artifactId: { ...text, description: 'A package URL' },
  },
}

const cdevent = {
  description: 'A CDEvent of a service. Other members are ignored; other events are answered with 202.',
  ...holding(
    {
      context: holding({ id: filled, source: filled, type: { ...text, description: acceptedEvents } }),
      subject: holding({ id: filled }, { content: deployed }),
    },
    { customData: { description: 'An object may hold "message", "url" and "commit"' } },
  ),
}

const success = { ...text, pattern: '^([Ss][Uu][Cc][Cc][Ee][Ss][Ss])?$' }

/** The fields that say what was deployed. */
export const announced = {
  message: {
    ...message,
    pattern: '\\S',
    description: 'Not blank; may have several lines and emoji. Its length is counted in bytes of UTF-8',
  },
  url: optional(
    { ...text, maxLength: textBounds.link, pattern: '^([A-Za-z+]+://|[^/@:\\s]+@[^/@:\\s]+:)[^\\s]+$' },
    'http or https, without user information, or the git address of a repository, which becomes its page; empty or null means omitted',
  ),
  category: optional(category, 'If omitted, empty or null, it is read from the first line of the message'),
  environment: optional(environment, 'Where it was deployed, such as production; case does not matter'),
  version: optional({ ...version, pattern: '\\S' }, 'The name of the version, such as v2.4.0; one line'),
  commit: optional(commit, 'The hash of the commit, or its beginning'),
  status: { ...orNull(success), description: 'Not stored; a failure is refused' },
  state: { ...orNull(success), description: 'The same as status' },
  env: { anyOf: nothing, description: 'Refused, because the field is called environment' },
}

const ofRequests = {
  Event: cdevent,
  CloudEvent: holding({ data: reference('Event') }),
  Announcement: {
    type: 'object',
    required: ['message'],
    properties: {
      ...announced,
      deployed_at: optional(
        { ...text, pattern: timestampPattern },
        `Not stored. It must have an offset and be within ${toleranceMinutes} minutes of now; otherwise it is refused`,
      ),
    },
  },
}
