import { type ProblemCode, problemHeaders, problems } from '../../../domain/problems.ts'
import { maxQuestionLength, maxWords } from '../../../domain/search/question.ts'
import { maxUrlCharacters } from '../../../domain/target.ts'
import { category, environment, idOfDeployment, integer, reference, text, username } from './schemas.ts'

/** A query parameter. An empty one counts as absent. */
export const query = (name: string, description: string, schema: object) => ({
  name,
  in: 'query',
  description,
  allowEmptyValue: true,
  schema,
})

/** A target, or a link to something in it. */
export const target = { ...text, maxLength: maxUrlCharacters }

/** The user in a path. */
export const whose = {
  name: 'username',
  in: 'path',
  required: true,
  description: 'The user, in any case',
  schema: username,
}

/** The deployment in a path. */
export const deploymentId = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the deployment',
  schema: idOfDeployment,
}

/** The parameters that filter deployments. */
export const filter = [
  query('user', 'Only deployments of this user', username),
  query('category', 'Only this category', category),
  query(
    'target',
    'Only deployments whose link points at this host, or host and path; only together with user',
    target,
  ),
  query('env', 'Only this environment; not together with category', environment),
]

export const search = query(
  'q',
  `Only deployments that match all of these: at most ${maxWords} words, "a phrase", a @user, a host or project, env: and category:, and without -word; not together with user, target or env. A page may be incomplete and still have an older page`,
  { ...text, maxLength: maxQuestionLength },
)

export const beforeId = query('before', 'Only deployments before this id', idOfDeployment)

// What these problems mean to readers: nothing is written, so a retry needs no key.
export const asked = { description: 'A parameter is wrong. The message says which.' }
export const noSuchUser = { description: 'There is no such user.' }
export const crowded = 'This address has too many requests in progress.'
const unreadable = { description: 'The database cannot answer right now.' }

/** The answer to problems that share a status. */
export function problemAnswer(codes: readonly ProblemCode[]) {
  const references = codes.map(reference)
  return {
    description: codes.map((code) => problems[code].when).join(' Or: '),
    content: {
      'application/json': { schema: references.length === 1 ? references[0] : { oneOf: references } },
    },
    headers: headersOf(codes.flatMap((code) => problems[code].headers ?? [])),
  }
}

/** The answer to a client address that sends too many requests, at routes that count no announcements. */
export function tooMany(description: string) {
  return { ...problemAnswer(['rate_limited']), description, headers: headersOf(['Retry-After']) }
}

/** The answer to every method that is not described for an address. */
export const otherMethod = problemAnswer(['method_not_allowed'])

/** Headers that are always sent. */
export function headersOf(names: readonly (keyof typeof problemHeaders)[]) {
  return Object.fromEntries(
    names.map((name) => {
      const schema = name === 'Retry-After' ? integer : text
      return [name, { description: problemHeaders[name], required: true, schema }]
    }),
  )
}

/** The answers that every list and record may give instead. */
export const ofEachRead = {
  405: otherMethod,
  429: tooMany(crowded),
  500: problemAnswer(['internal_error']),
  503: { ...problemAnswer(['unavailable']), ...unreadable },
}
