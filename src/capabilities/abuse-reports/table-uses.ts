import { nullOr, textThat, textWithout } from '../../data/table-uses/column-rules.ts'
import type { TableUse } from '../../data/table-uses/table-use.ts'
import { oneLineProblems } from '../../domain/field-parsing.ts'
import { isReportReason } from './rules.ts'
import { reports } from './tables.ts'

export const reportsTable: TableUse = {
  table: reports,
  rules: {
    reason: textThat(isReportReason, 'must be one of the list'),
    text: nullOr(textWithout((text) => oneLineProblems(text, 'report'))),
  },
}
