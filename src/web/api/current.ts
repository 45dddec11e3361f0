import { Elysia } from 'elysia'
import { readCurrent } from '../../data/current.ts'
import { share } from '../../database/batch.ts'
import { pageOf } from '../../domain/deployment.ts'
import type { Current } from '../../domain/environments.ts'
import { timestampOf } from '../../domain/time.ts'
import { anyOrigin, jsonHeaders } from '../../http/headers.ts'
import { Problem } from '../../http/problem.ts'
import { refuseOthersAndMisnamed } from '../../http/query-parameters.ts'
import { jsonText, taggedResponder } from '../../http/responses.ts'
import { readFilter } from '../lists/part.ts'
import type { Dependencies } from '../route-dependencies.ts'

type Question = Readonly<Record<'user' | 'target' | 'env', string | undefined>>

/** GET /api/current: what is live in each environment of each target of a user. */
export function current({ db, baseUrl }: Dependencies) {
  const read = share(async (question: Question) => {
    const { userId, scope, environment } = await readFilter(db, question)
    if (userId === null) throw new Problem('bad_request', 'Give "user": environments belong to one user.')
    const found = await readCurrent(db, { userId, scope, environment })
    return taggedResponder(jsonText({ current: found.map((one) => recordOf(one, baseUrl)) }), { headers })
  })

  return new Elysia({ name: 'current' }).get('/api/current', async ({ query, request }) => {
    refuseOthersAndMisnamed(query, 'This address', ['user', 'target', 'env'])
    const { user, target, env } = query
    return (await read({ user, target, env }))(request)
  })
}

/** Dashboards ask often, and get 304 until something changes. */
const headers = { ...jsonHeaders, ...anyOrigin, 'Cache-Control': 'no-cache' }

function recordOf({ target, deployment }: Current, baseUrl: string) {
  const { id, url, environment, version = null, commit = null, deployedAt } = deployment
  const page = pageOf(deployment, baseUrl)
  return { target, environment, version, commit, url, deployed_at: timestampOf(deployedAt), id, page }
}
