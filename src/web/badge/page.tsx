import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { type BadgeChoice, choiceOf } from '../../badge/badge.ts'
import { profileReader } from '../../data/pages/profiles.ts'
import { scopeOf } from '../../domain/target.ts'
import { readFacet, readTarget } from '../../http/query-parameters.ts'
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
      const targets = overview.targets.map(({ target }) => target)
      const target = readTarget(query)
      const asked = {
        choice: choiceOf({ ...query, show: query.show ?? offeredChoice.show }),
        target: target === null ? null : scopeOf(target),
        environment: readFacet(query, 'environment'),
      }
      const embed = { targets, environments, ...drawable(asked, targets) }
      return page(<EmbedPage site={site} viewer={viewer} user={user} {...embed} />, {
        isPrivate: viewer !== null,
        request,
      })
    })
}

type Asked = {
  readonly choice: BadgeChoice
  readonly target: string | null
  readonly environment: string | null
}

/** A badge of environments is of one project, the user's latest unless another is asked for, and of all its environments. */
function drawable(asked: Asked, [latest]: readonly string[]): Asked {
  const { choice } = asked
  if (choice.show !== 'environments') return asked
  const target = asked.target ?? latest
  if (target === undefined) return { ...asked, choice: { ...choice, show: offeredChoice.show } }
  return { choice, target, environment: null }
}
