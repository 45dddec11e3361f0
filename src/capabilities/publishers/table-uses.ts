import { foreignIdRule, issuerRule } from '../../data/tables/column-rules.ts'
import type { TableUse } from '../../data/tables/table-use.ts'
import { usedJtis } from './tables.ts'

export const usedJtisTable: TableUse = {
  table: usedJtis,
  rules: { issuer: issuerRule, jti: foreignIdRule },
}
