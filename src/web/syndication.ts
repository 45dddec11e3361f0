import { Elysia } from 'elysia'
import type { Db } from '../database/db.ts'
import { share } from '../database/share.ts'
import { isSearch } from '../domain/feed-event.ts'
import { scopeOf } from '../domain/target.ts'
import { prepareTagged } from '../http/conditional.ts'
import { anyOrigin, jsonHeaders } from '../http/headers.ts'
import { readBefore, readCategory, readEnvironment, readTarget, refuseOtherFilters } from '../http/query.ts'
import type { Site } from '../views/page/site.ts'
import { atomOf } from '../views/syndication/atom.ts'
import { channelOf, type Format } from '../views/syndication/channel.ts'
import { jsonFeedOf } from '../views/syndication/json-feed.ts'
import { findPoster } from './find-poster.ts'
import { readList } from './read-list.ts'
import { readSearch } from './read-search.ts'
import { refuseBroad } from './refuse-broad.ts'

/** How many entries readers are given at once; older ones are behind a link. */
const pageSize = 50

const writers = {
  atom: { write: atomOf, type: 'application/atom+xml; charset=utf-8' },
  json: { write: jsonFeedOf, type: 'application/feed+json; charset=utf-8' },
} as const

type Query = Readonly<Record<string, string | undefined>>
type Question = Query & { readonly format: Format; readonly username?: string | null }

/** GET /feed.atom, /feed.json, /<username>/feed.atom and /<username>/feed.json: the feed for readers. */
export function syndication({ db, site }: { db: Db; site: Site }) {
  const read = share(async ({ format, username, ...query }: Question) => {
    const category = readCategory(query)
    const target = readTarget(query)
    const before = readBefore(query)
    const user = username === undefined ? null : (await findPoster(db, username)).user
    const search = user === null ? await readSearch(db, query) : null
    const filter = search ?? {
      userId: user?.id ?? null,
      category,
      scope: target === null ? null : scopeOf(target),
      environment: readEnvironment(query),
    }
    if (!isSearch(filter)) await refuseBroad(db, filter)
    const page = await readList(db, filter, { before, limit: pageSize })
    const { write, type } = writers[format]
    const channel = channelOf(
      site,
      format,
      {
        user,
        category,
        ...(search === null ? { target: filter.scope } : { target: null, q: query.q }),
        environment: filter.environment,
        before,
      },
      page,
    )
    return prepareTagged(write(site, channel), { headers: { ...headers, 'Content-Type': type } })
  })

  const ofAll = (format: Format) => async (context: { query: Query; request: Request }) => {
    refuseOtherFilters(context.query)
    return (await read({ ...partOf(context.query), format }))(context.request)
  }
  const ofUser =
    (format: Format) =>
    async ({ query, request, params }: { query: Query; request: Request; params: { username: string } }) =>
      (await read({ ...partOf(query), format, username: params.username }))(request)

  return new Elysia({ name: 'syndication' })
    .get('/feed.atom', ofAll('atom'))
    .get('/feed.json', ofAll('json'))
    .get('/:username/feed.atom', ofUser('atom'))
    .get('/:username/feed.json', ofUser('json'))
}

const headers = { ...jsonHeaders, ...anyOrigin, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' }

/** What counts of a query, so that everybody who asks the same shares a read. */
function partOf({ q, category, target, env, before }: Query): Query {
  return { q, category, target, env, before }
}
