import { Elysia } from 'elysia'
import { findToken } from '../../data/account/tokens.ts'
import { findPosted, findWithdrawable, withdrawDeployment } from '../../data/deployments.ts'
import { share } from '../../database/batch.ts'
import { boundedOf, rightRefusal, tokenRefusal } from '../../domain/account/token-rights.ts'
import { isWithdrawable, recordOf, withdrawableHours } from '../../domain/deployment.ts'
import { facetParameters } from '../../domain/feed/facets.ts'
import { bearerToken, unauthorized } from '../../http/bearer-token.ts'
import { anyOrigin, jsonHeaders } from '../../http/headers.ts'
import { Problem } from '../../http/problem.ts'
import { deploymentIdOf, type QueryParameters, readKnown } from '../../http/query-parameters.ts'
import { empty, json, jsonText, textResponder } from '../../http/responses.ts'
import { withQuery } from '../../views/page/address.ts'
import { noSuchDeployment, readAsked } from '../lists/part.ts'
import { withSearch } from '../lists/search.ts'
import type { Dependencies } from '../route-dependencies.ts'
import { refuse } from './refused-calls.ts'

const [firstFacet = '', ...otherFacets] = facetParameters
/** The parameters of a list but a search, in the order of the addresses of its pages. */
const parameters = ['user', firstFacet, 'target', ...otherFacets, 'from', 'to', 'limit', 'before']

/** GET /api/deployments: the feed for programs, newest first. */
export function deploymentList({ db, site, baseUrl, search }: Dependencies) {
  const names = withSearch(search, parameters)
  const address = `${baseUrl}/api/deployments`
  const read = share(async (question: QueryParameters) => {
    const { deployments, older } = await readAsked(db, search, question)
    const next = older === null ? null : withQuery(address, { ...question, before: older })
    const records = deployments.map((deployment) => recordOf(deployment, baseUrl))
    const link = next === null ? {} : { Link: `<${next}>; rel="next"` }
    return textResponder(jsonText({ deployments: records, older: next }), {
      headers: { ...jsonHeaders, ...anyOrigin, ...link },
    })
  })

  return new Elysia({ name: 'deployment-list' }).get('/api/deployments', async ({ query, request }) => {
    return (await read(readKnown(query, 'This list', names, site.search)))(request)
  })
}

const tooOld = `A token can withdraw a deployment only within ${withdrawableHours} hours of its announcement. Sign in and withdraw it on its page.`

const oneOfThem = '/api/deployments/:id'

/** GET /api/deployments/<id>: one deployment, as the list has it. */
export function oneDeployment({ db, baseUrl }: Dependencies) {
  return new Elysia({ name: 'one-deployment' }).get(oneOfThem, async ({ params }) => {
    const id = deploymentIdOf(params.id)
    const found = id === null ? null : await findPosted(db, id)
    if (found === null) throw noSuchDeployment()
    return json(200, recordOf(found, baseUrl), anyOrigin)
  })
}

/** DELETE /api/deployments/<id>: withdraws a deployment by a token of its poster. */
export function withdrawal({ db }: Dependencies) {
  return new Elysia({ name: 'withdrawal' }).use(bearerToken()).delete(
    oneOfThem,
    async ({ params, tokenHash }) => {
      const id = deploymentIdOf(params.id)
      const token = await findToken(db, tokenHash, { usedFor: 'withdrawal' })
      if (token === null) throw unauthorized()
      refuse(rightRefusal(token, 'withdraw'))
      const deployment = id === null ? null : await findWithdrawable(db, id)
      if (id === null || deployment === null) throw noSuchDeployment()
      if (deployment.userId !== token.owner.id) {
        throw new Problem('forbidden', 'Only a token of the user who announced a deployment can withdraw it.')
      }
      // As announced: a token stays bound to a project that was joined into another.
      refuse(tokenRefusal(token, 'withdraw', boundedOf(deployment)))
      if (!isWithdrawable(deployment.deployedAt, token.now)) {
        throw new Problem('forbidden', tooOld)
      }
      if (!(await withdrawDeployment(db, { userId: token.owner.id, id }))) throw noSuchDeployment()
      return empty(204)
    },
    { parse: 'none' },
  )
}
