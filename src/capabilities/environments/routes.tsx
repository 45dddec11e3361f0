import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { readCurrent } from '../../data/current.ts'
import { share } from '../../database/batch.ts'
import { pageOf } from '../../domain/deployment.ts'
import type { BoardPart, Current } from '../../domain/environments.ts'
import { timestampOf } from '../../domain/time.ts'
import { anyOrigin, jsonHeaders } from '../../http/headers.ts'
import { Problem } from '../../http/problem.ts'
import { refuseOthers, refuseUnknown } from '../../http/query-parameters.ts'
import { jsonText, page, pageResponder, taggedResponder } from '../../http/responses.ts'
import { environmentsReader, readBoard, readBoardPart } from '../../web/lists/boards.ts'
import { findPoster, readFilter } from '../../web/lists/part.ts'
import type { Dependencies } from '../../web/route-dependencies.ts'
import { AllEnvironmentsPage, EnvironmentsPage } from './page.tsx'

type Question = Readonly<Record<'user' | 'target' | 'env', string | undefined>>

/** GET /api/current: what is live in each environment of each target of a user. */
export function current({ db, site, baseUrl }: Dependencies) {
  const read = share(async (question: Question) => {
    const { userId, scope, by } = await readFilter(db, question)
    if (userId === null) throw new Problem('bad_request', 'Give "user": environments belong to one user.')
    const found = await readCurrent(db, { userId, scope, environment: by.environment })
    return taggedResponder(jsonText({ current: found.map((one) => recordOf(one, baseUrl)) }), { headers })
  })

  return new Elysia({ name: 'current' }).get('/api/current', async ({ query, request }) => {
    refuseUnknown(query, 'This address', ['user', 'target', 'env'], site.search)
    const { user, target, env } = query
    return (await read({ user, target, env }))(request)
  })
}

/** Dashboards ask often, and get 304 until something changes. */
const headers = { ...jsonHeaders, ...anyOrigin, 'Cache-Control': 'no-cache' }

function recordOf({ target, deployment }: Current, baseUrl: string) {
  const { id, url, environment, version = null, commit = null, environment_url = null } = deployment
  return {
    ...{ target, environment, version, commit, url, environment_url },
    deployed_at: timestampOf(deployment.deployedAt),
    ...{ id, page: pageOf(deployment, baseUrl) },
  }
}

/** GET /<username>/-/environments: what is live in each environment of a user's projects. */
export function environments({ db, site, pages }: Dependencies) {
  const readTable = environmentsReader(db)

  const readPage = share(async (username: string | null) => {
    const { user } = await findPoster(db, username)
    const facts = { user, ...(await readTable({ username: user.username, userId: user.id, scope: null })) }
    const anonymous = pageResponder(<EnvironmentsPage site={site} viewer={null} {...facts} />)
    return { facts, anonymous }
  })

  return new Elysia({ name: 'environments' })
    .use(pages)
    .get('/:username/-/environments', async ({ params, query, request, visitor }) => {
      refuseOthers(query, 'This page', [], site.search)
      const { facts, anonymous } = await readPage(params.username)
      const viewer = visitor?.user ?? null
      if (viewer === null) return anonymous(request)
      return page(<EnvironmentsPage site={site} viewer={viewer} {...facts} />, { isPrivate: true, request })
    })
}

/** GET /environments: what is live where, of everyone or of the chosen projects. */
export function allEnvironments({ db, site, pages }: Dependencies) {
  const readPage = share(async (board: BoardPart) => {
    const facts = await readBoard(db, board)
    const anonymous = pageResponder(<AllEnvironmentsPage site={site} viewer={null} {...facts} />)
    return { facts, anonymous }
  })

  return new Elysia({ name: 'all-environments' })
    .use(pages)
    .get('/environments', async ({ query, request, visitor }) => {
      refuseOthers(query, 'The board', ['project', 'env'], site.search)
      const { facts, anonymous } = await readPage(readBoardPart(query, request))
      const viewer = visitor?.user ?? null
      if (viewer === null) return anonymous(request)
      return page(<AllEnvironmentsPage site={site} viewer={viewer} {...facts} />, {
        isPrivate: true,
        request,
      })
    })
}
