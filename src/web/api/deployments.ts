import { Elysia } from 'elysia'
import { share } from '../../database/batch.ts'
import type { Db } from '../../database/db.ts'
import { recordOf } from '../../domain/deployment.ts'
import { anyOrigin, jsonHeaders } from '../../http/headers.ts'
import type { QueryParameters } from '../../http/query-parameters.ts'
import { readBefore, readLimit, refuseOthers } from '../../http/query-parameters.ts'
import { jsonText, textResponder } from '../../http/responses.ts'
import { readList, readPart } from '../lists/part.ts'

/** The parameters of a list. */
const names = ['q', 'user', 'category', 'target', 'env', 'limit', 'before'] as const

type Question = Readonly<Record<(typeof names)[number], string | undefined>>

/** GET /api/deployments: the feed for programs, newest first. */
export function deploymentList({ db, baseUrl }: { db: Db; baseUrl: string }) {
  const read = share(async (question: Question) => {
    const range = { before: readBefore(question), limit: readLimit(question) }
    const { deployments, older } = await readList(db, await readPart(db, question), range)
    const next = older === null ? null : addressOf(baseUrl, { ...question, before: String(older) })
    const records = deployments.map((deployment) => recordOf(deployment, baseUrl))
    return textResponder(jsonText({ deployments: records, older: next }), {
      headers: {
        ...jsonHeaders,
        ...anyOrigin,
        ...(next === null ? {} : { Link: `<${next}>; rel="next"` }),
      },
    })
  })

  return new Elysia({ name: 'deployment-list' }).get('/api/deployments', async ({ query, request }) => {
    refuseOthers(query, 'This list', names)
    return (await read(parametersOf(query)))(request)
  })
}

/** The parameters that matter, so that equal requests share a read. */
function parametersOf(query: QueryParameters): Question {
  return Object.fromEntries(names.map((name) => [name, query[name] || undefined])) as Question
}

function addressOf(baseUrl: string, question: Question): string {
  const parameters = new URLSearchParams()
  for (const name of names) if (question[name] !== undefined) parameters.set(name, question[name])
  return `${baseUrl}/api/deployments?${parameters}`
}
