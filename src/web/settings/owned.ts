import type { Added, Owned } from '../../data/account/owned.ts'
import { type FormContextOfOne, RefusedForm } from '../../http/forms.ts'
import { Problem, SignInRequired } from '../../http/problem.ts'
import { seeOther } from '../../http/responses.ts'
import type { SecurityLog } from '../../http/security-log.ts'
import type { AccountEvent } from '../../log/events.ts'

/** What an account has several of, such as webhooks. */
type Kind<Id> = {
  readonly noun: string
  readonly max: number
  /** The field of the form for another one at which it is refused. */
  readonly field: string
  /** Why one that the account has already is refused. */
  readonly known?: string
  /** Reads the id in an address; null if it cannot be one. */
  readonly idIn: (text: string) => Id | null
}

/** What the forms of such things have in common. */
export function ownedForms<Id>({ noun, max, field, known = '', idIn }: Kind<Id>, logSecurity: SecurityLog) {
  const reasons = { known, full: `cannot be added: you have ${max} ${noun}s, which is the limit` }

  /** What was found. Throws the 404 for null, as for one that was deleted in another window. */
  function found<Value>(value: Value | null): Value {
    if (value !== null) return value
    throw new Problem('not_found', `You no longer have this ${noun}. The settings list those you have.`)
  }

  /** The one that an address names. Throws the 404 if it names none. */
  function named({ visitor, params }: FormContextOfOne): Owned<Id> {
    return { userId: visitor.user.id, id: found(idIn(params.id)) }
  }

  return {
    found,
    named,

    /** The row that was added. Throws RefusedForm if there is one like it, or no room. */
    added<Row>(result: Added<Row>): Row {
      if (result.outcome === 'added') return result.row
      if (result.outcome === 'gone') throw new SignInRequired()
      throw new RefusedForm({ [field]: [reasons[result.outcome]] })
    },

    /**
     * Changes the one that an address names, by a function that gives false if there is none, and redirects. In
     * `location`, `:id` stands for its id.
     */
    async changed(
      context: FormContextOfOne,
      change: (of: Owned<Id>) => Promise<boolean>,
      location: string,
      { event, cookies = [] }: { event?: AccountEvent; cookies?: readonly string[] } = {},
    ): Promise<Response> {
      const of = named(context)
      found((await change(of)) || null)
      if (event !== undefined) logSecurity(event, context, context.visitor.user.username)
      return seeOther(location.replace(':id', String(of.id)), cookies)
    },
  }
}
