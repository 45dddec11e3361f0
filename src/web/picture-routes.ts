import { Elysia } from 'elysia'
import { deploymentIdOf } from '../http/query-parameters.ts'
import type { RequestOfUser } from './lists/of-user.ts'
import type { Pictures } from './pictures.ts'

type Options = {
  readonly pictures: Pictures
  /** Answers an address that has a host in the place of the id. */
  readonly answerProject: (request: RequestOfUser) => Promise<Response>
}

/** GET /card.png, /<username>/card.png, /<username>/<id>/card.png and /<username>/year.svg: pictures. */
export function pictureRoutes({ pictures, answerProject }: Options) {
  return new Elysia({ name: 'picture-routes' })
    .get('/card.png', ({ request }) => pictures.ofSite(request))
    .get('/:username/card.png', ({ params: { username }, query, request }) =>
      pictures.ofUser({ name: 'card.png', username, query, request }),
    )
    .get('/:username/year.svg', ({ params: { username }, query, request }) =>
      pictures.ofUser({ name: 'year.svg', username, query, request }),
    )
    .get('/:username/:id/card.png', ({ params, query, request }) =>
      deploymentIdOf(params.id ?? '') === null
        ? answerProject({ username: params.username, query, request, viewer: null })
        : pictures.ofDeployment(params, request),
    )
}
