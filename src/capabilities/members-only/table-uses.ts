import { hashRule, lastFourRule } from '../../data/table-uses/column-rules.ts'
import { columnsOf } from '../../data/table-uses/export-columns.ts'
import type { TableUse } from '../../data/table-uses/table-use.ts'
import { readKeys } from './tables.ts'

export const readKeysTable: TableUse = {
  table: readKeys,
  rules: { hash: hashRule, last_four: lastFourRule },
  section: {
    name: 'read_keys',
    place: 2,
    columns: columnsOf(readKeys, 'last_four created_at last_used_at'),
  },
  deletion: 'at once',
  access: { name: 'read key', place: 2 },
}
