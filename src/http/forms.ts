import type { Visitor } from '../data/account/sessions.ts'
import type { ParsedForm, Reasons } from '../domain/field-parsing.ts'
import { waitInWords } from '../domain/time.ts'
import { readForm } from './body.ts'
import type { QueryParameters } from './query-parameters.ts'
import { page } from './responses.ts'
import type { SecurityLog } from './security-log.ts'

/** The context of the handler of a form. `For` is the type of its visitor. */
export type FormContext<For = Visitor> = Parameters<SecurityLog>[1] & {
  readonly visitor: For
  readonly query: QueryParameters
}

/** The same for a form of one token, intake or webhook. */
export type FormContextOfOne = FormContext & { readonly params: { readonly id: string } }

type Typed<Name extends string> = Readonly<Record<Name, string>>

/** Why a form was refused, other than the reasons for its fields. */
type Refusal = {
  readonly problem?: string | undefined
  /** Seconds until the form can be sent again. */
  readonly retryAfterSeconds?: number | undefined
}

/** Ends the handler of a form, which is then shown again with the reasons. */
export class RefusedForm extends Error {
  constructor(
    readonly reasons: Reasons,
    readonly refusal: Refusal = {},
  ) {
    super('The form was refused.')
  }
}

/** A refused form as its page shows it again. `typed` leaves out passwords, because no page may contain one. */
export type Refused = Refusal & { readonly typed: Typed<string>; readonly reasons: Reasons }

/** Makes the handler of a form. If `handle` throws RefusedForm, `show` makes the answer. */
export function formHandler<Name extends string, Context extends FormContext<Visitor | null>>(
  fields: readonly Name[],
  show: (refused: Refused, context: Context) => Response | Promise<Response>,
  handle: (context: Context, typed: Typed<Name>) => Promise<Response>,
) {
  return async (context: Context): Promise<Response> => {
    const typed = await readForm(context.request, fields)
    try {
      return await handle(context, typed)
    } catch (error) {
      if (!(error instanceof RefusedForm)) throw error
      const shown = Object.entries<string>(typed).filter(([name]) => !name.endsWith('password'))
      const { reasons, refusal } = error
      return await show({ ...refusal, reasons, typed: Object.fromEntries(shown) }, context)
    }
  }
}

/** The values of a form. Throws RefusedForm if some are invalid. */
export function validOf<Values>(read: ParsedForm<Values>): Values {
  if (read.outcome === 'invalid') throw new RefusedForm(read.reasons)
  return read.values
}

export function sentTooOften(problem: string, retryAfterSeconds: number): RefusedForm {
  const wait = waitInWords(retryAfterSeconds)
  return new RefusedForm({}, { problem: `${problem} Try again in ${wait}.`, retryAfterSeconds })
}

/** Answers with the page of a form: 422 if the form was refused, and 429 if it was sent too often. */
export function pageOfForm(markup: JSX.Element, refused: Refused | null): Response {
  const { retryAfterSeconds } = refused ?? {}
  if (retryAfterSeconds === undefined) return page(markup, { status: refused ? 422 : 200, isPrivate: true })
  const headers = { 'Retry-After': String(retryAfterSeconds) }
  return page(markup, { status: 429, headers, isPrivate: true })
}
