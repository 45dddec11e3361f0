import { Elysia } from 'elysia'
import script from '../../../ci/history.sh' with { type: 'text' }
import { type FoundToken, findToken, ownTokensFinder } from '../../data/account/tokens.ts'
import { removeImported } from '../../data/imported.ts'
import { boundedOf, rightRefusal, tokenRefusal } from '../../domain/account/token-rights.ts'
import { publicTexts } from '../../domain/announcement/announcement.ts'
import type { Reasons } from '../../domain/field-parsing.ts'
import { importLimits } from '../../domain/imported.ts'
import { timestampOf } from '../../domain/time.ts'
import { bearerToken, unauthorized } from '../../http/bearer-token.ts'
import { readValues } from '../../http/body.ts'
import { invalidFields, Problem } from '../../http/problem.ts'
import { empty, json } from '../../http/responses.ts'
import { refusalsToOwner, refuse } from '../../web/api/refused-calls.ts'
import { filledIn, served } from '../../web/docs/script.ts'
import type { Dependencies } from '../../web/route-dependencies.ts'
import { type ImportItem, parseImportItem } from './rules.ts'
import { type ImportOutcome, type ImportResult, recordImport } from './store.ts'

/** How many items are read in one turn of the event loop. */
const perTurn = 50

/**
 * POST /api/history: adds deployments from before the user announced here; DELETE removes all of them. GET
 * /ci/history.sh: a script that adds those of a checkout.
 */
export function importing({ db, site, log }: Dependencies) {
  const findOwnTokens = ownTokensFinder(db)
  const showToOwner = refusalsToOwner(db, log)
  const serveScript = served(filledIn(script, site), 'text/x-shellscript')

  return new Elysia({ name: 'history' })
    .get('/ci/history.sh', ({ request }) => serveScript(request))
    .use(bearerToken())
    .post(
      '/api/history',
      async ({ request, tokenHash }) => {
        try {
          const token = await tokenOf(tokenHash)
          return json(200, await added(token, await readCall(request, tokenHash)))
        } catch (error) {
          if (error instanceof Problem) showToOwner({ tokenHash }, error, 'history')
          throw error
        }
      },
      { parse: 'none' },
    )
    .delete(
      '/api/history',
      async ({ tokenHash }) => {
        const token = await tokenOf(tokenHash)
        refuse(tokenRefusal(token, 'history', null))
        if (await removeImported(db, token.owner.id)) return empty(204)
        const advice = 'The rest is being removed. Repeat the call to see that it is gone.'
        throw new Problem('unavailable', advice, { 'Retry-After': '5' })
      },
      { parse: 'none' },
    )

  async function tokenOf(tokenHash: string): Promise<FoundToken> {
    const token = await findToken(db, tokenHash, { usedFor: 'history' })
    if (token === null) throw unauthorized()
    refuse(rightRefusal(token, 'history'))
    return token
  }

  async function readCall(request: Request, tokenHash: string): Promise<Call> {
    const values = await readValues(request, importLimits.bytes)
    if (values === null)
      throw refusedItems('must be a JSON array, or one object a line as application/x-ndjson')
    if (values.length > importLimits.items) {
      const most = `must be at most ${importLimits.items} in a call`
      throw refusedItems(`${most} (these are ${values.length}): send the rest in another one`)
    }
    const ownTokens = await findOwnTokens(values.flatMap(publicTexts), { tokenHash })
    const call: Call = { items: [], refused: [] }
    for (const [index, value] of values.entries()) {
      if (index % perTurn === perTurn - 1) await new Promise(setImmediate)
      const read = parseImportItem(value, { now: new Date(), ownTokens })
      if (read.outcome === 'valid') call.items.push({ ...read.item, index })
      else call.refused.push({ index, details: read.reasons })
    }
    return call
  }

  async function added(token: FoundToken, { items, refused }: Call): Promise<object> {
    for (const { announcement } of items) refuse(tokenRefusal(token, 'history', boundedOf(announcement)))
    const result = await recordImport(db, { userId: token.owner.id, token: token.name }, items)
    if (result.outcome === 'gone') throw unauthorized()
    if (result.outcome !== 'judged') throw refusedItems(limitReasons[result.outcome], result.added)
    const { results } = result
    const untimely = items.flatMap(({ index }, n) => {
      const reason = untimelyReason(results[n] as ImportResult, result)
      return reason === null ? [] : [{ index, details: { deployed_at: [reason] } }]
    })
    return {
      added: results.filter((each) => each === 'added').length,
      known: results.filter((each) => each === 'known').length,
      refused: [...refused, ...untimely].toSorted((a, b) => a.index - b.index),
    }
  }
}

type Refused = { readonly index: number; readonly details: Reasons }

/** The items of a call, and those that are invalid, by their places in the body. */
type Call = { readonly items: (ImportItem & { readonly index: number })[]; readonly refused: Refused[] }

const limitReasons = {
  ofUser: `would be more than ${importLimits.ofUser} deployments from history, which is the limit of a user`,
  aDay: `would be more than ${importLimits.aDay} deployments from history today (UTC): send the rest tomorrow`,
} as const

/** Refuses a call as a whole, although `added` items were recorded before it reached a limit. */
function refusedItems(reason: string, added = 0): Problem {
  const recorded =
    added === 0
      ? 'Nothing was recorded: the items'
      : `Only ${added} items were recorded: all new items together`
  return invalidFields({ items: [reason] }, `${recorded} ${reason}.`)
}

type Judged = Extract<ImportOutcome, { outcome: 'judged' }>

function untimelyReason(result: ImportResult, { first, now }: Judged): string | null {
  if (result === 'future') return `must not be in the future (it is ${timestampOf(now)})`
  if (result === 'crowded') {
    return `must be in another second: this one has no room for more (a user may have ${importLimits.aSecond} in one)`
  }
  if (result !== 'late' || first === null) return null
  return `must be before your first announcement here, at ${timestampOf(first)}`
}
