import { type ProblemCode, problemHeaders, problems } from '../../../domain/problem.ts'
import { integer, reference, text } from './schemas.ts'

/** The answer to problems that share a status. */
export function problemAnswer(codes: readonly ProblemCode[], more: object = {}) {
  const references = codes.map(reference)
  return {
    description: codes.map((code) => problems[code].when).join(' Or: '),
    content: {
      'application/json': { schema: references.length === 1 ? references[0] : { oneOf: references } },
      ...more,
    },
    headers: headersOf(codes.flatMap((code) => problems[code].headers ?? [])),
  }
}

/** Headers that always come. */
export function headersOf(names: readonly (keyof typeof problemHeaders)[]) {
  return Object.fromEntries(
    names.map((name) => {
      const schema = name === 'Retry-After' ? integer : text
      return [name, { description: problemHeaders[name], required: true, schema }]
    }),
  )
}
