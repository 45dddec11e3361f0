import { Elysia } from 'elysia'
import { scopeToRead } from '../../data/targets.ts'
import { share } from '../../database/batch.ts'
import { type Deployment, recordOf } from '../../domain/deployment.ts'
import { type LiveEnvironment, lackingIn, maxAhead } from '../../domain/environment/board.ts'
import { environmentRule, isEnvironment } from '../../domain/environment/environment.ts'
import { scopeOf } from '../../domain/target.ts'
import { taggedJsonHeaders } from '../../http/headers.ts'
import { Problem } from '../../http/problem.ts'
import { deploymentIdOf, type QueryParameters, readKnown, readTarget } from '../../http/query-parameters.ts'
import { jsonText, taggedResponder } from '../../http/responses.ts'
import { findPoster } from '../../web/lists/part.ts'
import type { Dependencies } from '../../web/route-dependencies.ts'
import { findSide, listUpTo, type OfTarget, type Side } from './store.ts'

/** GET /api/compare: what one environment or deployment of a project has, and another lacks. */
export function comparison({ db, site, baseUrl }: Dependencies) {
  const read = share(async (question: QueryParameters) => {
    const { user, project, from, to } = question
    const target = readTarget({ target: project })
    if (!user || target === null || !from || !to) throw new Problem('bad_request', whatToSend)
    const sides = { from: readSide('from', from), to: readSide('to', to) }
    const { user: poster } = await findPoster(db, user)
    const scope = await scopeToRead(db, { userId: poster.id, scope: scopeOf(target) })
    const of = { userId: poster.id, target: scope }
    const [head, base] = await Promise.all([findLive(of, sides.from), findLive(of, sides.to)])
    const { deployments, isMore, compare } = lackingIn(base, head)
    const difference = {
      from: recordOf(head.deployment, baseUrl),
      to: recordOf(base.deployment, baseUrl),
      deployments: deployments.map((one) => recordOf(one, baseUrl)),
      ...{ more: isMore, compare },
    }
    return taggedResponder(jsonText(difference), { headers: taggedJsonHeaders })
  })

  async function findLive(of: OfTarget, side: Side): Promise<LiveEnvironment<Deployment>> {
    const found = await findSide(db, of, side)
    if (found !== null) return { deployment: found, recent: await listUpTo(db, of, found, maxAhead + 1) }
    const what = 'environment' in side ? `to "${side.environment}"` : `${side.id} to an environment`
    throw new Problem('not_found', `This user has no deployment ${what} of the project ${of.target}.`)
  }

  return new Elysia({ name: 'comparison' }).get('/api/compare', async ({ query, request }) => {
    const question = readKnown(query, 'This address', ['user', 'project', 'from', 'to'], site.search)
    return (await read(question))(request)
  })
}

const whatToSend =
  'Give "user", "project" (such as github.com/ada/engine), "from" and "to", which are environments or ids of deployments.'

/** Digits are an id. */
function readSide(name: 'from' | 'to', text: string): Side {
  const id = deploymentIdOf(text)
  if (id !== null) return { id }
  if (isEnvironment(text)) return { environment: text }
  throw new Problem(
    'bad_request',
    `The parameter "${name}" is neither the id of a deployment nor an environment, which has ${environmentRule}.`,
  )
}
