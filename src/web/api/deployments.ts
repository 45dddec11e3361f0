import { Elysia } from 'elysia'
import type { Db } from '../../database/db.ts'
import { share } from '../../database/share.ts'
import { prepare } from '../../http/compression.ts'
import { anyOrigin, jsonHeaders } from '../../http/headers.ts'
import { readBefore, readLimit } from '../../http/query.ts'
import { readFilter } from '../read-filter.ts'
import { readList } from '../read-list.ts'
import { readSearch } from '../read-search.ts'
import { listedRecordOf } from './record.ts'

/** The parameters of a list. */
const names = ['q', 'user', 'category', 'target', 'env', 'limit', 'before'] as const

type Query = Readonly<Record<string, string | undefined>>
type Question = Readonly<Record<(typeof names)[number], string | undefined>>

/** GET /api/deployments: the feed for programs, the newest first. */
export function deploymentList({ db, baseUrl }: { db: Db; baseUrl: string }) {
  const read = share(async (question: Question) => {
    const range = { before: readBefore(question), limit: readLimit(question) }
    const filter = (await readSearch(db, question)) ?? (await readFilter(db, question))
    const { deployments, older } = await readList(db, filter, range)
    const next = older === null ? null : addressOf(baseUrl, { ...question, before: String(older) })
    const records = deployments.map((deployment) => listedRecordOf(deployment, baseUrl))
    return prepare(JSON.stringify({ deployments: records, older: next }), {
      headers: {
        ...jsonHeaders,
        ...anyOrigin,
        Vary: 'Accept-Encoding',
        ...(next === null ? {} : { Link: `<${next}>; rel="next"` }),
      },
    })
  })

  return new Elysia({ name: 'deployment-list' }).get('/api/deployments', async ({ query, request }) =>
    (await read(questionOf(query)))(request),
  )
}

/** What counts of a query, so that everybody who asks the same shares a read. */
function questionOf(query: Query): Question {
  return Object.fromEntries(names.map((name) => [name, query[name] || undefined])) as Question
}

function addressOf(baseUrl: string, question: Question): string {
  const parameters = new URLSearchParams()
  for (const name of names) if (question[name] !== undefined) parameters.set(name, question[name])
  return `${baseUrl}/api/deployments?${parameters}`
}
