import { type ProblemCode, problemHeaders, problems } from '../../../domain/problems.ts'
import { textBounds } from '../../../domain/text-bounds.ts'
import { idOfDeployment, integer, reference, text, username } from './schemas.ts'

/** Operations by method and address, such as "GET /api/token". */
export type Operations = Readonly<Record<string, Operation>>
export type Operation = ReturnType<typeof about> & {
  readonly description?: string
  readonly requestBody?: {
    readonly required: boolean
    readonly description?: string
    readonly content: Readonly<Record<string, { readonly schema: object }>>
  }
  readonly parameters?: readonly ReturnType<typeof query>[]
  readonly responses: Answers
}
type Answers = Readonly<Record<number, object>>

/** What operations of a tag have in common: those that announce need a token. */
export const about = (tag: string, operationId: string, summary: string) => ({
  tags: [tag],
  security: tag === 'Announce' ? [{ token: [] }] : ([] as readonly object[]),
  operationId,
  summary,
})

type Place = { readonly in: string; readonly required?: true; readonly allowEmptyValue?: boolean }

const parameter = (place: Place) => (name: string, description: string, schema: object) => ({
  ...place,
  name,
  description,
  schema,
})
/** A query parameter. An empty one counts as absent. */
export const query = parameter({ in: 'query', allowEmptyValue: true })
/** One that must be given. */
export const neededQuery = parameter({ in: 'query', required: true, allowEmptyValue: false })
export const inPath = parameter({ in: 'path', required: true })
export const inHeader = parameter({ in: 'header' })

/** A target, or a link to something in it. */
export const target = { ...text, maxLength: textBounds.link }

export const whose = inPath('username', 'The user, in any case', username)
export const deploymentId = inPath('id', 'The id of the deployment', idOfDeployment)

export const jsonOf = (name: string, example?: object) => ({
  'application/json': { schema: reference(name), example },
})

/** A form of a named schema, in both of its media types. */
export const formsOf = (name: string) => ({
  'application/x-www-form-urlencoded': { schema: reference(name) },
  'multipart/form-data': { schema: reference(name) },
})

/** What problems mean at an address; null where that is the same as at POST /api. */
export type Meanings = { readonly [code in ProblemCode]?: string | null }

export const crowded = 'This address has too many requests in progress.'

/** The answers to these problems, and to those of every address except images and those that take announcements. */
export function commonRefusals(meanings: Meanings) {
  const unavailable = 'The database cannot answer right now.'
  return refusalAnswers({ rate_limited: crowded, unavailable, ...meanings })
}

/** The answers to these problems, and to those of every address, by status. */
export function refusalAnswers(meanings: Meanings): Answers {
  const all: Meanings = { method_not_allowed: null, internal_error: null, ...meanings }
  const codes = Object.keys(all) as ProblemCode[]
  return Object.fromEntries(
    codes.map((code) => {
      const usual = problemAnswer([code])
      // Only POST /api tells how many announcements are left.
      const headers = code === 'rate_limited' ? headersOf(['Retry-After']) : usual.headers
      return [problems[code].status, { ...usual, description: all[code] ?? usual.description, headers }]
    }),
  )
}

/** The answer to problems that share a status. */
export function problemAnswer(codes: readonly ProblemCode[]) {
  const [one, ...others] = codes.map(reference)
  return {
    description: codes.map((code) => problems[code].when).join(' Or: '),
    content: { 'application/json': { schema: others.length === 0 ? one : { oneOf: [one, ...others] } } },
    headers: headersOf(codes.flatMap((code) => problems[code].headers ?? [])),
  }
}

/** Headers that are always sent. */
export function headersOf(names: readonly (keyof typeof problemHeaders)[]) {
  return Object.fromEntries(
    names.map((name) => {
      const schema = name === 'Retry-After' ? integer : text
      return [name, { description: problemHeaders[name], required: true, schema }]
    }),
  )
}
