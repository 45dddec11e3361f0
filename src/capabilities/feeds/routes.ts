import { Elysia } from 'elysia'
import { firstAccountAt } from '../../data/account/users.ts'
import { share } from '../../database/batch.ts'
import { facetParameters, ofFewValues } from '../../domain/feed/facets.ts'
import { entriesOfFeed } from '../../domain/feed/feed.ts'
import { startOfDay, utcDayOf } from '../../domain/time.ts'
import { type FeedFormat, feedResponder } from '../../http/feeds.ts'
import { type QueryParameters, readBefore, readKnown, readTimeRange } from '../../http/query-parameters.ts'
import { readFilterOf, readList } from '../../web/lists/part.ts'
import { withSearch } from '../../web/lists/search.ts'
import type { Dependencies } from '../../web/route-dependencies.ts'
import { atomOf, channelOf, jsonFeedOf } from './feeds.ts'

const writers = { atom: atomOf, json: jsonFeedOf } as const

const others = ['from', 'to', 'before']

type Question = QueryParameters & { readonly format: FeedFormat; readonly username?: string | null }

/** GET /feed.atom, /feed.json, /<username>/feed.atom and /<username>/feed.json: the feed for readers. */
export function syndication({ db, site, search }: Dependencies) {
  const read = share(async ({ format, username, ...query }: Question) => {
    const [before, time] = [readBefore(query), readTimeRange(query)]
    const searched = username === undefined ? ((await search?.readPart(query)) ?? null) : null
    const { filter, poster } =
      searched === null ? await readFilterOf(db, username, query) : { filter: searched, poster: null }
    // Feed readers would show history as new.
    const page = await readList(db, filter, { time, after: 0, before, limit: entriesOfFeed })
    const [newest] = page.deployments
    const since = poster?.since ?? (await firstAccountAt(db)) ?? page.now
    // For a feed without entries only the day, because the exact time at which an account was created is private.
    const updated = newest?.deployedAt ?? startOfDay(utcDayOf(since))
    const part =
      searched === null
        ? { target: filter.scope, by: filter.by }
        : { target: null, by: ofFewValues(searched.by), q: query.q }
    const channel = channelOf(
      site,
      format,
      { user: poster?.user ?? null, ...part, time, before },
      { ...page, updated },
    )
    return feedResponder(writers[format](site, channel), format)
  })

  const app = new Elysia({ name: 'syndication' })
  for (const format of ['atom', 'json'] as const) {
    app
      .get(`/feed.${format}`, async ({ query, request }) => {
        const takes = [...facetParameters, ...withSearch(search, others)]
        return (await read({ ...readKnown(query, 'The feed', takes, site.search), format }))(request)
      })
      .get(`/:username/feed.${format}`, async ({ params: { username }, query, request }) => {
        const takes = [...facetParameters, 'target', ...others]
        return (await read({ ...readKnown(query, 'This feed', takes, site.search), format, username }))(
          request,
        )
      })
  }
  return app
}
