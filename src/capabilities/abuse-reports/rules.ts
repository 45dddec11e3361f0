import {
  allValid,
  fieldOf,
  invalid,
  isKeyOf,
  oneLineProblems,
  type ParsedForm,
  valid,
} from '../../domain/field-parsing.ts'

/** The reasons to report a deployment to the operator, as the form shows them. */
export const reportReasons = {
  spam: 'Spam or advertising',
  false: 'False, or made to mislead',
  abuse: 'Insulting or hateful',
  secret: 'Shows a secret or personal data',
  harmful: 'Leads to something harmful',
  other: 'Something else',
} as const

export type ReportReason = keyof typeof reportReasons
export const isReportReason = isKeyOf(reportReasons)

export type AbuseReport = { readonly reason: ReportReason; readonly text: string | null }

/** How many reports of a deployment are kept. */
export const maxReports = 20

export function parseReport(fields: Readonly<Record<'reason' | 'text', string>>): ParsedForm<AbuseReport> {
  const { reason } = fields
  const text = fields.text.trim()
  return allValid<AbuseReport>({
    reason: isReportReason(reason) ? valid(reason) : invalid('must be one of the list'),
    text: text === '' ? valid(null) : fieldOf(text, oneLineProblems(text, 'report')),
  })
}
