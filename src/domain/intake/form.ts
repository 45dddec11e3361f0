import { parseEnvironments, parseList } from '../restriction.ts'
import { allValid, invalid, type ParsedForm, valid } from '../text-fields.ts'
import { type IntakeFilter, type IntakeKind, isIntakeKind } from './intake.ts'

/** The fields of the filter of an intake in a form; `transient` is ticked if not empty. */
export const intakeFilterFields = ['environments', 'workflows', 'transient'] as const

/** The fields of a new intake in a form. */
export const intakeFields = ['kind', ...intakeFilterFields] as const

export type IntakeFilterValues = Readonly<Record<(typeof intakeFilterFields)[number], string>>
export type IntakeValues = Readonly<Record<(typeof intakeFields)[number], string>>

/** Reads the filter of a form: its lists are separated by commas or spaces. */
export function parseIntakeFilter(typed: IntakeFilterValues): ParsedForm<IntakeFilter> {
  return allValid<IntakeFilter>(fieldsOf(typed))
}

/** Reads a new intake of a form, whose filter is reduced to what its forge has. */
export function parseIntake(typed: IntakeValues): ParsedForm<IntakeFilter & { readonly kind: IntakeKind }> {
  const suited = typed.kind === 'forgejo' ? { environments: '', transient: '' } : { workflows: '' }
  return allValid<IntakeFilter & { readonly kind: IntakeKind }>({
    kind: isIntakeKind(typed.kind) ? valid(typed.kind) : invalid('must be one of those in the list'),
    ...fieldsOf({ ...typed, ...suited }),
  })
}

function fieldsOf(typed: IntakeFilterValues) {
  return {
    environments: parseEnvironments(typed.environments),
    workflows: parseList(typed.workflows, 'a file name, such as deploy.yml', (word) =>
      /^[\w.-]{1,100}$/.test(word) ? word.toLowerCase() : null,
    ),
    transient: valid(typed.transient !== ''),
  }
}
