import { columnsOf } from '../../data/table-uses/export-columns.ts'
import type { TableUse } from '../../data/table-uses/table-use.ts'
import { historyDays } from './tables.ts'

export const historyDaysTable: TableUse = {
  table: historyDays,
  section: { name: 'history_days', place: 11, columns: columnsOf(historyDays, 'day added') },
}
