import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { version } from '../../package.json'
import { readNewest } from '../data/soundness.ts'
import { share } from '../database/batch.ts'
import { lacking } from '../database/db.ts'
import { page } from '../http/responses.ts'
import { StatusPage } from '../views/page/status-page.tsx'
import type { Dependencies } from './route-dependencies.ts'

/** GET /status: whether the service works, for people. Feed and badges work as long as the database answers. */
export function status({ db, site, pages }: Dependencies) {
  const since = new Date()
  const readOutage = share((_: null) => lacking(db, readNewest))

  return new Elysia({ name: 'status' }).use(pages).get('/status', async ({ visitor }) => {
    const outage = await readOutage(null)
    const viewer = visitor?.user ?? null
    return page(<StatusPage site={site} viewer={viewer} outage={outage} since={since} version={version} />, {
      status: outage === null ? 200 : 503,
      isPrivate: true,
    })
  })
}
