import { Elysia } from 'elysia'
import { statusWords } from '../badge/status.ts'
import { pngRenderer } from '../card/png.ts'
import { findCardFacts } from '../data/pages/deployment-page.ts'
import { type YearOfUser, yearReader } from '../data/pages/years.ts'
import { everything } from '../domain/target.ts'
import { utcDayOf } from '../domain/time.ts'
import { anyOrigin, imagePolicy, nosniff } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { deploymentIdOf, type QueryParameters, usernameIn } from '../http/query-parameters.ts'
import { etagOf, hasEtag } from '../http/responses.ts'
import { Slots } from '../http/slots.ts'
import { DeploymentCard } from '../views/card/deployment-card.tsx'
import { drawing } from '../views/card/parts.tsx'
import { SiteCard } from '../views/card/site-card.tsx'
import { YearCard } from '../views/card/year-card.tsx'
import { tagline } from '../views/page/layout.tsx'
import { themeOf, YearImage } from '../views/profile/year-image.tsx'
import { yearHeaders } from './badge/headers.ts'
import { type AnswerProject, pictureNames, type RequestOfPicture } from './lists/of-user.ts'
import { findAddressed } from './lists/part.ts'
import type { Dependencies } from './route-dependencies.ts'

/** How many cards may wait. Each takes about 25 ms to draw, in the only thread for them. */
const limits = { perAddress: 4, total: 16 }

/** A card changes at most a few times a day, and disappears with what it shows. */
const cardHeaders = {
  ...nosniff,
  ...anyOrigin,
  'Content-Security-Policy': imagePolicy,
  'Cache-Control': 'public, max-age=3600',
}

type Options = Pick<Dependencies, 'db' | 'site'> & { readonly addressOf: (request: Request) => string }

export function picturesOf({ db, site, addressOf }: Options) {
  const renderer = pngRenderer()
  const slots = new Slots(limits)
  const readYear = yearReader(db)

  return {
    ofSite(request: Request) {
      const shown = { tagline, host: new URL(site.baseUrl).host }
      return answerCard(request, shown, () => SiteCard(shown))
    },
    async ofDeployment(params: { username: string; id: string }, request: Request) {
      const shown = await findAddressed(params, (address) => findCardFacts(db, address))
      return await answerCard(request, shown, () => DeploymentCard(shown))
    },
    async ofUser({ name, username, scope = everything, query, request }: RequestOfPicture) {
      const known = usernameIn(username)
      if (known === null) throw new Problem('not_found', 'This is not a valid username.')
      const year = await readYear({ username: known, scope })
      if (name === 'year.svg') return answerYear(year, query)
      if (year.user === null) throw new Problem('not_found', 'No one here has this username.')
      if (scope !== everything && year.latest === null) {
        throw new Problem('not_found', `@${year.user.username} has announced no deployment there.`)
      }
      const { user, days, latest, now } = year
      const shown = { user, target: scope === everything ? null : scope, days, latest, now }
      const inDays = { ...shown, now: utcDayOf(now), latest: latest && utcDayOf(latest) }
      return await answerCard(request, inDays, () => YearCard(shown))
    },
  }

  /** Answers with the PNG of a card; `shown` is everything that the card shows. */
  async function answerCard(request: Request, shown: unknown, draw: () => JSX.Element): Promise<Response> {
    const tag = etagOf(JSON.stringify([drawing, shown]))
    const headers = { ...cardHeaders, ETag: tag }
    if (hasEtag(request, tag)) return new Response(null, { status: 304, headers })
    const render = () => renderer.render(tag, () => String(draw()))
    const png = renderer.has(tag)
      ? await render()
      : await slots.run(addressOf(request), 'pictures are waiting to be drawn', render)
    return new Response(png, { headers: { ...headers, 'Content-Type': 'image/png' } })
  }
}

/** An unknown user gets a picture too, because a broken one in a README explains nothing. */
function answerYear({ user, days, now }: YearOfUser, { theme }: QueryParameters): Response {
  const known = user === null ? { days: null, caption: statusWords.Unknown } : { days }
  const today = utcDayOf(now)
  const image = YearImage({ theme: themeOf(theme), today, ...known })
  return new Response(String(image), { headers: yearHeaders })
}

type Routes = { readonly pictures: ReturnType<typeof picturesOf>; readonly answerProject: AnswerProject }

/** GET /card.png, /<username>/card.png, /<username>/<id>/card.png and /<username>/year.svg: pictures. */
export function pictureRoutes({ pictures, answerProject }: Routes) {
  const app = new Elysia({ name: 'picture-routes' })
  for (const name of pictureNames) {
    app.get(`/:username/${name}`, ({ params: { username }, query, request }) =>
      pictures.ofUser({ name, username, query, request }),
    )
  }
  return app
    .get('/card.png', ({ request }) => pictures.ofSite(request))
    .get('/:username/:id/card.png', ({ params, query, request }) =>
      deploymentIdOf(params.id ?? '') === null
        ? answerProject({ username: params.username, query, request, viewer: null })
        : pictures.ofDeployment(params, request),
    )
}
