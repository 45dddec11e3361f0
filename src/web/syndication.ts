import { Elysia } from 'elysia'
import { firstAccountAt } from '../data/account/users.ts'
import { share } from '../database/batch.ts'
import { entriesOfFeed } from '../domain/feed/feed.ts'
import { startOfDay, utcDayOf } from '../domain/time.ts'
import { anyOrigin, jsonHeaders } from '../http/headers.ts'
import { type QueryParameters, readBefore, refuseOthers } from '../http/query-parameters.ts'
import { taggedResponder } from '../http/responses.ts'
import { atomOf, channelOf, type FeedFormat, jsonFeedOf } from '../views/syndication/feeds.ts'
import { readFilterOf, readList, readSearch } from './lists/part.ts'
import type { Dependencies } from './route-dependencies.ts'

/** `onPage` is a type that browsers show: Firefox would save a feed in a file. */
const writers = {
  atom: { write: atomOf, type: 'application/atom+xml; charset=utf-8', onPage: 'text/xml; charset=utf-8' },
  json: {
    write: jsonFeedOf,
    type: 'application/feed+json; charset=utf-8',
    onPage: 'application/json; charset=utf-8',
  },
} as const

type Question = QueryParameters & { readonly format: FeedFormat; readonly username?: string | null }

/** GET /feed.atom, /feed.json, /<username>/feed.atom and /<username>/feed.json: the feed for readers. */
export function syndication({ db, site }: Dependencies) {
  const read = share(async ({ format, username, ...query }: Question) => {
    const before = readBefore(query)
    const search = username === undefined ? await readSearch(db, query) : null
    const { filter, poster } =
      search === null
        ? await readFilterOf(db, username, query)
        : { filter: { ...search, environment: null }, poster: null }
    // Feed readers would show history as new.
    const page = await readList(db, search ?? filter, { after: 0, before, limit: entriesOfFeed })
    const [newest] = page.deployments
    const since = poster?.since ?? (await firstAccountAt(db)) ?? page.now
    // For a feed without entries only the day, because the exact time at which an account was created is private.
    const updated = newest?.deployedAt ?? startOfDay(utcDayOf(since))
    const { write, type, onPage } = writers[format]
    const { category, environment } = filter
    const part = search === null ? { target: filter.scope } : { target: null, q: query.q }
    const channel = channelOf(
      site,
      format,
      { user: poster?.user ?? null, category, environment, ...part, before },
      { ...page, updated },
    )
    const answer = taggedResponder(write(site, channel), { headers: { ...headers, 'Content-Type': type } })
    return (request: Request) => {
      const response = answer(request)
      if (request.headers.get('sec-fetch-dest') === 'document') response.headers.set('Content-Type', onPage)
      return response
    }
  })

  const app = new Elysia({ name: 'syndication' })
  for (const format of ['atom', 'json'] as const) {
    app
      .get(`/feed.${format}`, async ({ query, request }) => {
        refuseOthers(query, 'The feed', ['category', 'env', 'q', 'before'])
        return (await read({ ...partOf(query), format }))(request)
      })
      .get(`/:username/feed.${format}`, async ({ params: { username }, query, request }) => {
        refuseOthers(query, 'This feed', ['category', 'env', 'target', 'before'])
        return (await read({ ...partOf(query), format, username }))(request)
      })
  }
  return app
}

const headers = {
  ...jsonHeaders,
  ...anyOrigin,
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding, Sec-Fetch-Dest',
}

/** The parameters that matter, so that equal requests share a read. */
function partOf({ q, category, target, env, before }: QueryParameters): QueryParameters {
  return { q, category, target, env, before }
}
