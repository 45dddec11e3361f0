import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { choiceOf } from '../../badge/badge.ts'
import { profileReader } from '../../data/pages/profiles.ts'
import { scopeOf } from '../../domain/target.ts'
import { readEnvironment, readTarget } from '../../http/query-parameters.ts'
import { page } from '../../http/responses.ts'
import { EmbedPage } from '../../views/badge/embed-panel.tsx'
import { offeredChoice } from '../../views/badge/snippets.ts'
import { findNamed } from '../lists/part.ts'
import type { Dependencies } from '../route-dependencies.ts'

/** GET /<username>/badge: a badge to choose and copy. */
export function embed({ db, site, pages }: Dependencies) {
  const readProfile = profileReader(db)

  return new Elysia({ name: 'embed' })
    .use(pages)
    .get('/:username/badge', async ({ params, query, request, visitor }) => {
      const viewer = visitor?.user ?? null
      const { user, overview, environments } = await findNamed(params.username, readProfile)
      const target = readTarget(query)
      const embed = {
        targets: overview.targets.map(({ target }) => target),
        choice: choiceOf({ ...query, show: query.show ?? offeredChoice.show }),
        target: target === null ? null : scopeOf(target),
        environment: readEnvironment(query),
        environments,
      }
      return page(<EmbedPage site={site} viewer={viewer} user={user} {...embed} />, {
        isPrivate: viewer !== null,
        request,
      })
    })
}
