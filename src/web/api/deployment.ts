import { Elysia } from 'elysia'
import { findToken } from '../../data/account/tokens.ts'
import { findPosted, findWithdrawable, withdrawDeployment } from '../../data/deployments.ts'
import type { Db } from '../../database/db.ts'
import { rightRefusal, tokenRefusal } from '../../domain/account/token-rights.ts'
import { isWithdrawable, recordOf, withdrawableHours } from '../../domain/deployment.ts'
import { bearerToken, unauthorized } from '../../http/bearer-token.ts'
import { anyOrigin } from '../../http/headers.ts'
import { Problem } from '../../http/problem.ts'
import { deploymentIdOf } from '../../http/query-parameters.ts'
import { empty, json } from '../../http/responses.ts'
import { refuse } from './answers.ts'

const path = '/api/deployments/:id'

/** GET /api/deployments/<id>: one deployment, as the list has it. */
export function oneDeployment({ db, baseUrl }: { db: Db; baseUrl: string }) {
  return new Elysia({ name: 'one-deployment' }).get(path, async ({ params }) => {
    const id = deploymentIdOf(params.id)
    const found = id === null ? null : await findPosted(db, id)
    if (found === null) throw notFound()
    return json(200, recordOf(found, baseUrl), anyOrigin)
  })
}

/** DELETE /api/deployments/<id>: withdraws a deployment by a token of its poster. */
export function withdrawal({ db }: { db: Db }) {
  return new Elysia({ name: 'withdrawal' }).use(bearerToken()).delete(
    path,
    async ({ params, tokenHash }) => {
      const id = deploymentIdOf(params.id)
      const token = await findToken(db, tokenHash, { usedFor: 'withdrawal' })
      if (token === null) throw unauthorized()
      refuse(rightRefusal(token, 'withdraw'))
      const deployment = id === null ? null : await findWithdrawable(db, id)
      if (id === null || deployment === null) throw notFound()
      if (deployment.userId !== token.owner.id) {
        throw new Problem('forbidden', 'Only a token of the user who announced a deployment can withdraw it.')
      }
      refuse(tokenRefusal(token, 'withdraw', deployment))
      if (!isWithdrawable(deployment.deployedAt, token.now)) {
        throw new Problem(
          'forbidden',
          `A token can withdraw a deployment only within ${withdrawableHours} hours of its announcement. Sign in and withdraw it on its page.`,
        )
      }
      if (!(await withdrawDeployment(db, { userId: token.owner.id, id }))) throw notFound()
      return empty(204)
    },
    { parse: 'none' },
  )
}

function notFound(): Problem {
  return new Problem('not_found', 'There is no such deployment, or it was withdrawn.')
}
