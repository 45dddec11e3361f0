import { Elysia } from 'elysia'
import { findCardFacts } from '../../data/pages/deployment-page.ts'
import { yearReader } from '../../data/pages/years.ts'
import type { Db } from '../../database/db.ts'
import { everything } from '../../domain/target.ts'
import { utcDayOf } from '../../domain/time.ts'
import { anyOrigin, imagePolicy, nosniff } from '../../http/headers.ts'
import { Permits } from '../../http/permits.ts'
import { Problem } from '../../http/problem.ts'
import { deploymentIdOf, usernameIn } from '../../http/query-parameters.ts'
import { etagOf, hasEtag } from '../../http/responses.ts'
import { tagline } from '../../views/page/layout.tsx'
import type { RequestBelow } from '../../web/lists/of-user.ts'
import { findAddressed } from '../../web/lists/part.ts'
import type { Dependencies } from '../../web/route-dependencies.ts'
import { DeploymentCard } from './deployment-card.tsx'
import { drawing } from './parts.tsx'
import { pngRenderer } from './png.ts'
import { SiteCard } from './site-card.tsx'
import { YearCard } from './year-card.tsx'

/** How many cards may wait. Each takes about 25 ms to draw, in the only thread for them. */
const limits = { perAddress: 4, total: 16 }

/** A card changes at most a few times a day, and disappears with what it shows. */
const cardHeaders = {
  ...nosniff,
  ...anyOrigin,
  'Content-Security-Policy': imagePolicy,
  'Cache-Control': 'public, max-age=3600',
}

type Pictures = ReturnType<typeof picturesOf>

type Asked = Pick<RequestBelow, 'request' | 'client'>

export function picturesOf(db: Db, baseUrl: string) {
  const renderer = pngRenderer()
  const permits = new Permits(limits)
  const readYear = yearReader(db)

  return {
    ofSite(asked: Asked) {
      const shown = { tagline, host: new URL(baseUrl).host }
      return answerCard(asked, shown, () => SiteCard(shown))
    },
    async ofDeployment(params: { username: string; id: string }, asked: Asked) {
      const shown = await findAddressed(params, (address) => findCardFacts(db, address))
      return await answerCard(asked, shown, () => DeploymentCard(shown))
    },
    async ofUser({
      username,
      scope = everything,
      ...asked
    }: Omit<RequestBelow, 'query' | 'viewer' | 'site'>) {
      const known = usernameIn(username)
      if (known === null) throw new Problem('not_found', 'This is not a valid username.')
      const year = await readYear({ username: known, scope })
      if (year.user === null) throw new Problem('not_found', 'No one here has this username.')
      if (scope !== everything && year.latest === null) {
        throw new Problem('not_found', `@${year.user.username} has announced no deployment there.`)
      }
      const { user, days, latest, now } = year
      const shown = { user, target: scope === everything ? null : scope, days, latest, now }
      const inDays = { ...shown, now: utcDayOf(now), latest: latest && utcDayOf(latest) }
      return await answerCard(asked, inDays, () => YearCard(shown))
    },
  }

  /** Answers with the PNG of a card; `shown` is everything that the card shows. */
  async function answerCard(asked: Asked, shown: unknown, draw: () => JSX.Element): Promise<Response> {
    const { request, client } = asked
    const tag = etagOf(JSON.stringify([drawing, shown]))
    const headers = { ...cardHeaders, ETag: tag }
    if (hasEtag(request, tag)) return new Response(null, { status: 304, headers })
    const render = () => renderer.render(tag, () => String(draw()))
    const png = renderer.has(tag)
      ? await render()
      : await permits.run(client, 'pictures are waiting to be drawn', render)
    return new Response(png, { headers: { ...headers, 'Content-Type': 'image/png' } })
  }
}

type Options = Pick<Dependencies, 'answerProject' | 'clientAddress'> & { readonly pictures: Pictures }

/** GET /card.png, /<username>/card.png and /<username>/<id>/card.png: pictures for chats and timelines. */
export function pictureRoutes({ pictures, answerProject, clientAddress }: Options) {
  return new Elysia({ name: 'picture-routes' })
    .get('/card.png', ({ request, server }) =>
      pictures.ofSite({ request, client: clientAddress(request, server) }),
    )
    .get('/:username/card.png', ({ params: { username }, request, server }) =>
      pictures.ofUser({ username, request, client: clientAddress(request, server) }),
    )
    .get('/:username/:id/card.png', ({ params, query, request, server }) =>
      deploymentIdOf(params.id ?? '') === null
        ? answerProject({ username: params.username, query, request, server, viewer: null })
        : pictures.ofDeployment(params, { request, client: clientAddress(request, server) }),
    )
}
