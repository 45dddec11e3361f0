import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import type { Db } from '../data/database.ts'
import { listDeployments } from '../data/deployments.ts'
import { latestEventId } from '../data/event-log.ts'
import { findUser } from '../data/users.ts'
import { scopeOf, targetLabel } from '../domain/target.ts'
import { profileAddress } from '../views/address.ts'
import { DeploymentList } from '../views/deployment-list.tsx'
import { ProfilePage } from '../views/profile.tsx'
import type { Site } from '../views/site.ts'
import { isOlderPart, readBefore, readCategory, readTarget, usernameIn } from './filter.ts'
import { Problem } from './problem.ts'
import { fragment, page } from './respond.ts'
import { type SessionCookies, session } from './session.ts'

/** GET /<username>: the profile that a badge links to. */
export function profile({ db, site, cookies }: { db: Db; site: Site; cookies: SessionCookies }) {
  return new Elysia({ name: 'profile' })
    .use(session({ db, cookies }))
    .get('/:username', async ({ params, query, request, viewer }) => {
      const { user, since } = await readUser(db, params.username)
      const category = readCategory(query)
      const target = readTarget(query)
      const before = readBefore(query)
      const scope = target === null ? null : scopeOf(target)
      // Read before the list, so that nothing falls between the list and the stream.
      const seen = before === null ? await latestEventId(db) : null
      const list = await listDeployments(db, { userId: user.id, category, scope, before })
      const label = target === null ? null : targetLabel(target)
      if (isOlderPart(request, before)) {
        const href = (before: number) => profileAddress(user.username, { target: label, category, before })
        return fragment(<DeploymentList {...list} href={href} />, { isPrivate: viewer !== null })
      }
      const filter = { category, target: label, seen }
      return page(
        <ProfilePage site={site} viewer={viewer} user={user} since={since} {...filter} {...list} />,
        {
          isPrivate: viewer !== null,
        },
      )
    })
}

async function readUser(db: Db, name: string) {
  const username = usernameIn(name)
  const found = username === null ? null : await findUser(db, username)
  if (found !== null) return found
  throw new Problem('not_found', 'Nobody here has this username, and no page has this address.')
}
