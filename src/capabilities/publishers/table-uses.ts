import { foreignIdRule, issuerRule } from '../../data/table-uses/column-rules.ts'
import type { TableUse } from '../../data/table-uses/table-use.ts'
import { usedJtis } from './tables.ts'

export const usedJtisTable: TableUse = {
  table: usedJtis,
  rules: { issuer: issuerRule, jti: foreignIdRule },
}
