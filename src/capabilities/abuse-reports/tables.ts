import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant } from '../../data/account/tables.ts'
import { deployments } from '../../data/tables.ts'
import type { ReportReason } from './rules.ts'

/** What readers reported of a deployment, until it is withdrawn or the operator dismisses it; see store.ts. */
export const reports = pgTable(
  'reports',
  {
    id: id(),
    deploymentId: bigint({ mode: 'number' })
      .notNull()
      .references(() => deployments.id, { onDelete: 'cascade' }),
    reason: text().$type<ReportReason>().notNull(),
    text: text(),
    reportedAt: instant().notNull().defaultNow(),
  },
  (t) => [index('reports_deployment').on(t.deploymentId)],
)
