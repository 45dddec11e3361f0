import { Elysia } from 'elysia'
import { scopeToRead } from '../../data/targets.ts'
import { share } from '../../database/batch.ts'
import type { User } from '../../domain/account/user.ts'
import { pageOf } from '../../domain/deployment.ts'
import { leadTimeOf, stopsOf } from '../../domain/feed/release-train.ts'
import { scopeOf } from '../../domain/target.ts'
import { timestampOf } from '../../domain/time.ts'
import { anyOrigin, jsonHeaders } from '../../http/headers.ts'
import { Problem } from '../../http/problem.ts'
import { type QueryParameters, readBefore, readKnown, readTarget } from '../../http/query-parameters.ts'
import { jsonText, textResponder } from '../../http/responses.ts'
import { withQuery } from '../../views/page/address.ts'
import { findPoster } from '../../web/lists/part.ts'
import type { Dependencies } from '../../web/route-dependencies.ts'
import { releaseAddress } from './links.tsx'
import { idOfRelease, pageOfReleases, type Train, type Window } from './rules.ts'
import { readWindow } from './store.ts'

/** GET /api/releases: the releases of a project for programs, as its page lists them. */
export function releaseList({ db, site, baseUrl }: Pick<Dependencies, 'db' | 'site' | 'baseUrl'>) {
  const read = share(async (question: QueryParameters) => {
    const before = readBefore(question)
    const asked = readTarget(question)
    if (!question.user || asked === null) {
      throw new Problem('bad_request', 'Give "user" and "target": releases belong to one project of a user.')
    }
    const { user } = await findPoster(db, question.user)
    const target = await scopeToRead(db, { userId: user.id, scope: scopeOf(asked) })
    const found = await readWindow(db, { userId: user.id, target, around: before })
    const { releases, older } = pageOfReleases(found, before)
    const body = {
      releases: releases.map((release) => recordOf(release, { user, target, baseUrl, live: found.live })),
      older:
        older === null
          ? null
          : withQuery(`${baseUrl}/api/releases`, { user: user.username, target, before: older }),
    }
    return textResponder(jsonText(body), { headers: { ...jsonHeaders, ...anyOrigin } })
  })

  return new Elysia({ name: 'release-list' }).get('/api/releases', async ({ query, request }) => {
    const question = readKnown(query, 'This list', ['user', 'target', 'before'], site.search)
    return (await read(question))(request)
  })
}

type Place = Pick<Window, 'live'> & { readonly user: User; readonly target: string; readonly baseUrl: string }

function recordOf(release: Train, { user, target, baseUrl, live }: Place) {
  const { version = null, commit = null } = release
  const lead = leadTimeOf(release, user.environmentOrder)
  return {
    version,
    commit,
    lead_time_seconds: lead === null ? null : Math.round(lead.duration / 1000),
    page: baseUrl + releaseAddress(user.username, target, idOfRelease(release)),
    stops: stopsOf(release, user.environmentOrder).map(({ environment, first, latest }) => ({
      environment,
      deployed_at: timestampOf(first.deployedAt),
      live: live.has(latest.id),
      id: first.id,
      page: pageOf({ id: first.id, poster: user }, baseUrl),
    })),
  }
}
