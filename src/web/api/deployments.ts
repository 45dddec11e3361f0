import { Elysia } from 'elysia'
import { findToken } from '../../data/account/tokens.ts'
import { findPosted, findWithdrawable, withdrawDeployment } from '../../data/deployments.ts'
import { idsBetween } from '../../data/time-ranges.ts'
import { share } from '../../database/batch.ts'
import { rightRefusal, tokenRefusal } from '../../domain/account/token-rights.ts'
import { isWithdrawable, recordOf, withdrawableHours } from '../../domain/deployment.ts'
import { bearerToken, unauthorized } from '../../http/bearer-token.ts'
import { anyOrigin, jsonHeaders } from '../../http/headers.ts'
import { Problem } from '../../http/problem.ts'
import {
  deploymentIdOf,
  readBefore,
  readLimit,
  readTimeRange,
  refuseOthersAndMisnamed,
} from '../../http/query-parameters.ts'
import { empty, json, jsonText, textResponder } from '../../http/responses.ts'
import { noSuchDeployment, readList, readPart } from '../lists/part.ts'
import type { Dependencies } from '../route-dependencies.ts'
import { refuse } from './refusals.ts'

/** The parameters of a list. */
const names = ['q', 'user', 'category', 'target', 'env', 'from', 'to', 'limit', 'before'] as const
/** Those of a search, which looks at batches of ids and so cannot end at a time. */
const namesOfSearch = names.filter((name) => name !== 'from' && name !== 'to')

type Question = Readonly<Record<(typeof names)[number], string | undefined>>

/** GET /api/deployments: the feed for programs, newest first. */
export function deploymentList({ db, baseUrl }: Dependencies) {
  const read = share(async (question: Question) => {
    const [before, limit, time] = [readBefore(question), readLimit(question), readTimeRange(question)]
    const part = await readPart(db, question)
    const ids = await idsBetween(db, part.userId, time, before)
    const { deployments, older } = await readList(db, part, { ...ids, limit })
    const next = older === null ? null : addressOf(baseUrl, { ...question, before: String(older) })
    const records = deployments.map((deployment) => recordOf(deployment, baseUrl))
    const link = next === null ? {} : { Link: `<${next}>; rel="next"` }
    return textResponder(jsonText({ deployments: records, older: next }), {
      headers: { ...jsonHeaders, ...anyOrigin, ...link },
    })
  })

  return new Elysia({ name: 'deployment-list' }).get('/api/deployments', async ({ query, request }) => {
    refuseOthersAndMisnamed(query, query.q ? 'A search' : 'This list', query.q ? namesOfSearch : names)
    // Only the parameters that matter, so that equal requests share a read.
    const question = Object.fromEntries(names.map((name) => [name, query[name] || undefined])) as Question
    return (await read(question))(request)
  })
}

function addressOf(baseUrl: string, question: Question): string {
  const parameters = new URLSearchParams()
  for (const name of names) if (question[name] !== undefined) parameters.set(name, question[name])
  return `${baseUrl}/api/deployments?${parameters}`
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
      refuse(tokenRefusal(token, 'withdraw', deployment))
      if (!isWithdrawable(deployment.deployedAt, token.now)) {
        throw new Problem('forbidden', tooOld)
      }
      if (!(await withdrawDeployment(db, { userId: token.owner.id, id }))) throw noSuchDeployment()
      return empty(204)
    },
    { parse: 'none' },
  )
}
