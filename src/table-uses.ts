import { reportsTable } from './capabilities/abuse-reports/table-uses.ts'
import { historyDaysTable } from './capabilities/import/table-uses.ts'
import { intakeCallsTable, intakesTable } from './capabilities/intakes/table-uses.ts'
import { readKeysTable } from './capabilities/members-only/table-uses.ts'
import { usedJtisTable } from './capabilities/publishers/table-uses.ts'
import { deliveriesTable, webhooksTable } from './capabilities/webhooks/table-uses.ts'
import { accountTables } from './data/table-uses/account-tables.ts'
import { feedTables } from './data/table-uses/feed-tables.ts'
import type { TableUse } from './data/table-uses/table-use.ts'

/**
 * The tables of a dump, whether or not the code of their capability is listed. Their order is that of dumps, also of
 * older ones, and one in which rows can be inserted: owners first.
 */
export const tables: readonly TableUse[] = [
  accountTables.users,
  accountTables.retiredUsernames,
  accountTables.publishers,
  usedJtisTable,
  accountTables.tokens,
  readKeysTable,
  accountTables.sessions,
  accountTables.devices,
  accountTables.passwordLinks,
  accountTables.attempts,
  feedTables.deployments,
  reportsTable,
  feedTables.withdrawals,
  feedTables.latestDeployments,
  feedTables.dailyDeployments,
  feedTables.targets,
  feedTables.targetScopes,
  historyDaysTable,
  feedTables.refusals,
  webhooksTable,
  deliveriesTable,
  intakesTable,
  intakeCallsTable,
  feedTables.joinedProjects,
]
