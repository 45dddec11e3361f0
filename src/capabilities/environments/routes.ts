import { Elysia } from 'elysia'
import { readCurrent } from '../../data/current.ts'
import { share } from '../../database/batch.ts'
import type { User } from '../../domain/account/user.ts'
import { pageOf } from '../../domain/deployment.ts'
import type { BoardPart, Current } from '../../domain/environment/board.ts'
import { timestampOf } from '../../domain/time.ts'
import { taggedJsonHeaders } from '../../http/headers.ts'
import { Problem } from '../../http/problem.ts'
import { type QueryParameters, readKnown, refuseOthers } from '../../http/query-parameters.ts'
import { jsonText, page, pageResponder, taggedResponder } from '../../http/responses.ts'
import type { PageProps, Site } from '../../views/page/site.ts'
import { environmentsReader, readBoard, readBoardPart } from '../../web/lists/boards.ts'
import { findPoster, readFilter } from '../../web/lists/part.ts'
import type { Dependencies } from '../../web/route-dependencies.ts'
import { AllEnvironmentsPage, EnvironmentsPage } from './page.tsx'

/** GET /api/current: what is live in each environment of each target of a user. */
export function current({ db, site, baseUrl }: Dependencies) {
  const read = share(async (question: QueryParameters) => {
    const { userId, scope, by } = await readFilter(db, question)
    if (userId === null) throw new Problem('bad_request', 'Give "user": environments belong to one user.')
    const found = await readCurrent(db, { userId, scope, environment: by.environment })
    return taggedResponder(jsonText({ current: found.map((one) => recordOf(one, baseUrl)) }), {
      headers: taggedJsonHeaders,
    })
  })

  return new Elysia({ name: 'current' }).get('/api/current', async ({ query, request }) => {
    const question = readKnown(query, 'This address', ['user', 'target', 'env'], site.search)
    return (await read(question))(request)
  })
}

function recordOf({ target, deployment }: Current, baseUrl: string) {
  const { id, url, environment, version = null, commit = null, environment_url = null } = deployment
  return {
    ...{ target, environment, version, commit, url, environment_url },
    deployed_at: timestampOf(deployment.deployedAt),
    ...{ id, page: pageOf(deployment, baseUrl) },
  }
}

/** GET /<username>/-/environments and GET /environments: what is live where, of a user, of everyone or of chosen projects. */
export function environmentPages({ db, site, pages }: Dependencies) {
  const readTable = environmentsReader(db)

  const answerUser = pageAnswer(site, EnvironmentsPage, async (username: string | null) => {
    const { user } = await findPoster(db, username)
    return { user, ...(await readTable({ username: user.username, userId: user.id, scope: null })) }
  })
  const answerBoard = pageAnswer(site, AllEnvironmentsPage, (board: BoardPart) => readBoard(db, board))

  return new Elysia({ name: 'environments' })
    .use(pages)
    .get('/:username/-/environments', async ({ params, query, request, visitor }) => {
      refuseOthers(query, 'This page', [], site.search)
      return await answerUser(params.username, visitor?.user ?? null, request)
    })
    .get('/environments', async ({ query, request, visitor }) => {
      refuseOthers(query, 'The board', ['project', 'env'], site.search)
      return await answerBoard(readBoardPart(query, request), visitor?.user ?? null, request)
    })
}

/** Makes what answers with a page. Readers who ask at the same time share its reading and, without an account, its drawing. */
function pageAnswer<Question, Facts extends object>(
  site: Site,
  draw: (props: Facts & PageProps) => JSX.Element,
  read: (question: Question) => Promise<Facts>,
) {
  const readPage = share(async (question: Question) => {
    const facts = await read(question)
    return { facts, anonymous: pageResponder(draw({ ...facts, site, viewer: null })) }
  })

  return async (question: Question, viewer: User | null, request: Request): Promise<Response> => {
    const { facts, anonymous } = await readPage(question)
    if (viewer === null) return anonymous(request)
    return page(draw({ ...facts, site, viewer }), { isPrivate: true, request })
  }
}
