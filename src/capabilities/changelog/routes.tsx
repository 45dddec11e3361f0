import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { scopeToRead } from '../../data/targets.ts'
import { share } from '../../database/batch.ts'
import type { Db } from '../../database/db.ts'
import { everything, scopeOf, targetOf } from '../../domain/target.ts'
import { startOfDay, utcDayOf } from '../../domain/time.ts'
import { feedResponder } from '../../http/feeds.ts'
import { taggedJsonHeaders } from '../../http/headers.ts'
import { Problem } from '../../http/problem.ts'
import { readBefore, readWord, refuseOthers } from '../../http/query-parameters.ts'
import { documentOf, jsonText, page, taggedResponder } from '../../http/responses.ts'
import { readableTarget } from '../../views/parts/readable-address.ts'
import type { AnswersBelow, RequestBelow } from '../../web/lists/of-user.ts'
import { findPoster } from '../../web/lists/part.ts'
import type { Dependencies } from '../../web/route-dependencies.ts'
import { forms } from './address.ts'
import { changelogFeed } from './feed.ts'
import { frameHeaders, markdownHeaders } from './headers.ts'
import { changelogMarkdown } from './markdown.ts'
import { embedOf, notOurs, partsIn, pathIn, readSize, refuseOtherFormats } from './oembed.ts'
import { ChangelogFrame, ChangelogPage } from './page.tsx'
import { findChangelog } from './store.ts'

type Asked = { readonly username: string; readonly target: string; readonly before?: number | null }

/** Reads a page of a changelog; null if nothing was deployed to its target itself. Throws `not_found` without its user. */
function changelogReader(db: Db) {
  return share(async ({ username, target: scope, before = null }: Asked) => {
    const { user, since } = await findPoster(db, username)
    const target = await scopeToRead(db, { userId: user.id, scope })
    const changelog = target === everything ? null : await findChangelog(db, { user, target, before })
    return { user, since, changelog }
  })
}

/** GET /<username>/<target>/changelog, changelog.md and changelog.atom. */
export function changelogsBelow(db: Db): AnswersBelow {
  const read = changelogReader(db)

  async function find({ username, scope = everything, query, site }: RequestBelow) {
    refuseOthers(query, 'A changelog', ['before'], site.search)
    const { user, since, changelog } = await read({ username, target: scope, before: readBefore(query) })
    if (changelog !== null) return { since, changelog }
    const what = `${user.name} has deployed nothing to ${readableTarget(scope)} itself.`
    throw new Problem('not_found', `${what} What they deploy to is listed at /${user.username}.`)
  }

  return {
    async [forms.page](asked) {
      const { site, viewer, request, query } = asked
      const isInFrame = readWord(query.embed, '1', howToEmbed)
      const { changelog } = await find(asked)
      if (isInFrame) {
        const frame = documentOf(<ChangelogFrame {...{ site, changelog }} />)
        return taggedResponder(frame, { headers: frameHeaders })(request)
      }
      return page(<ChangelogPage {...{ site, viewer, changelog }} />, {
        isPrivate: viewer !== null,
        request,
      })
    },
    async [forms.markdown](asked) {
      const { changelog } = await find(asked)
      const text = changelogMarkdown(asked.site, changelog)
      return taggedResponder(text, { headers: markdownHeaders })(asked.request)
    },
    async [forms.atom](asked) {
      const { changelog, since } = await find(asked)
      // Only the day, because the exact time at which an account was created is private.
      const text = changelogFeed(asked.site, changelog, startOfDay(utcDayOf(since)))
      return feedResponder(text, 'atom')(asked.request)
    },
  }
}

const howToEmbed = 'Send "embed=1" for a page without navigation, or leave out "embed".'

/** GET /oembed: how other sites show a changelog (https://oembed.com). */
export function oembed({ db, site }: Dependencies) {
  const read = changelogReader(db)

  return new Elysia({ name: 'oembed' }).get('/oembed', async ({ query, request }) => {
    refuseOthers(query, 'This address', [], site.search)
    refuseOtherFormats(query)
    const size = readSize(query)
    for (const { username, target } of partsIn(pathIn(query, site.baseUrl))) {
      const { changelog } = await read({ username, target: scopeOf(targetOf(target)) })
      if (changelog !== null) {
        return taggedResponder(jsonText(embedOf(site, changelog, size)), { headers: taggedJsonHeaders })(
          request,
        )
      }
    }
    throw notOurs()
  })
}
