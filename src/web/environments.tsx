import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { share } from '../database/batch.ts'
import { refuseOthers } from '../http/query-parameters.ts'
import { page, pageResponder } from '../http/responses.ts'
import { EnvironmentsPage } from '../views/profile/environments-page.tsx'
import { environmentsReader } from './lists/of-user.ts'
import { findPoster } from './lists/part.ts'
import type { Parts } from './parts.ts'

/** GET /<username>/-/environments: what is live in each environment of a user's projects. */
export function environments({ db, site, pages }: Parts) {
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
      refuseOthers(query, 'This page', [])
      const { facts, anonymous } = await readPage(params.username)
      const viewer = visitor?.user ?? null
      if (viewer === null) return anonymous(request)
      return page(<EnvironmentsPage site={site} viewer={viewer} {...facts} />, { isPrivate: true, request })
    })
}
