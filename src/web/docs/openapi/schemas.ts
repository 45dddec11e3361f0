import { tokenRights } from '../../../domain/account/token-rights.ts'
import { usernameForm } from '../../../domain/account/user.ts'
import { timestampForm, toleranceMinutes } from '../../../domain/announcement/announcement.ts'
import { categories } from '../../../domain/category.ts'
import { environmentForm } from '../../../domain/environment/environment.ts'
import { type Facet, facetNames, facets } from '../../../domain/feed/facets.ts'
import { pageLimits } from '../../../domain/feed/feed.ts'
import { announceProblems, type ProblemCode } from '../../../domain/problems.ts'
import { commitForm } from '../../../domain/release/release.ts'
import { projectPattern } from '../../../domain/target.ts'
import { textBounds } from '../../../domain/text-bounds.ts'
import { largestId } from '../../../http/query-parameters.ts'

export const text = { type: 'string' }
export const uri = { ...text, format: 'uri' }
export const filled = { ...text, minLength: 1 }
export const time = { ...text, format: 'date-time' }
export const integer = { type: 'integer' }
export const idSchema = { ...integer, minimum: 1, maximum: largestId }
/** The id of a deployment, which is negative if it is from history. */
export const idOfDeployment = { ...integer, minimum: -largestId, maximum: largestId, not: { const: 0 } }
export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

export const orNull = <Schema>(schema: Schema) => ({ oneOf: [schema, { type: 'null' }] })

export const username = { ...filled, maxLength: textBounds.username, pattern: usernameForm.source }
/** The limit is in bytes of UTF-8, which a schema cannot count; a message has at most as many characters. */
export const message = { ...filled, maxLength: textBounds.message }
export const environment = { ...text, pattern: environmentForm.source }
export const version = { ...filled, maxLength: textBounds.version }
export const commit = { ...text, pattern: commitForm.source }
const projectName = { ...text, maxLength: textBounds.project, pattern: projectPattern }
const actor = { ...filled, maxLength: textBounds.actor }
export const environment_url = { ...uri, maxLength: textBounds.link }
export const category = { ...text, enum: Object.keys(categories) }

/** The values of each facet. */
export const facetSchemas: Readonly<Record<Facet, object>> = { category, environment, actor }

/** The schemas of requests, answers and problems, by the names that the paths refer to. */
export function schemas(perMinute: number) {
  const codes = new Set<ProblemCode>([...announceProblems(perMinute), 'not_found', 'rate_limited'])
  const ofProblems = Object.fromEntries([...codes].map((code) => [code, problemSchema(code)]))
  return { ...ofRequests, ...ofAnswers, ...ofProblems }
}

export const details = { type: 'object', additionalProperties: { type: 'array', items: text, minItems: 1 } }

/** The code is a constant, so that an answer fits only one of two problems that share a status. */
export function problemSchema(code: ProblemCode) {
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

export const displayName = { ...filled, maxLength: textBounds.displayName }

const deployment = {
  id: idOfDeployment,
  message,
  url: orNull({ ...text, maxLength: textBounds.link }),
  category: orNull(category),
  deployed_at: time,
  user: objectOf({ id: idSchema, name: displayName }),
  username,
  status: { const: 'success' },
  page: uri,
}

const verified = objectOf({ issuer: uri, repository: text, workflow: orNull(text) })

/** Present only if a deployment replaced another one in its project and environment. */
const comparison = {
  previous: {
    ...objectOf({ id: idOfDeployment, page: uri }, { version, commit }),
    description: 'What it replaced: the deployment before it of its project and environment',
  },
  rollback: {
    const: true,
    description: 'Its release had come to this environment before the one that it replaced',
  },
  compare: {
    ...uri,
    description: 'The page on the forge that shows what changed: for a rollback, what was taken back',
  },
}

/** Present only if they were sent, or if the identity of a publisher said or proved them. */
const release = {
  ...{ environment, version, commit, project: projectName, actor, environment_url, verified },
  ...comparison,
}

/** The deployment in a message that tries a webhook. */
export const madeUpDeployment = objectOf({ ...deployment, id: { const: 0 } }, release)

const ofAnswers = {
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
  Withdrawal: objectOf({ id: idSchema }),
  AccountDeletion: objectOf({ username }),
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
  project: optional(
    projectName,
    'What was deployed, such as engine or shop/checkout, in place of the project of the link',
  ),
  actor: optional({ ...actor, pattern: '\\S' }, 'Who pressed the button; a name, never an e-mail address'),
  environment_url: optional(environment_url, 'Where it runs'),
  status: { ...orNull(success), description: 'Not stored; a failure is refused' },
  state: { ...orNull(success), description: 'The same as status' },
  ...Object.fromEntries(
    facetNames
      .filter((facet) => facets[facet].parameter !== facet)
      .map((facet) => {
        const description = `Refused, because the field is called ${facet}`
        return [facets[facet].parameter, { anyOf: nothing, description }]
      }),
  ),
}

const ofRequests = {
  Announcement: {
    type: 'object',
    required: ['message'],
    properties: {
      ...announced,
      deployed_at: optional(
        { ...text, pattern: timestampForm.source },
        `Not stored. It must have an offset and be within ${toleranceMinutes} minutes of now; otherwise it is refused`,
      ),
    },
  },
}
