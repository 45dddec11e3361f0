import { abuseReportsCapability } from './capabilities/abuse-reports/capability.ts'
import { backupsCapability } from './capabilities/backups/capability.ts'
import { cdeventsCapability } from './capabilities/cdevents/capability.ts'
import { changelogCapability } from './capabilities/changelog/capability.ts'
import { environmentsCapability } from './capabilities/environments/capability.ts'
import { feedsCapability } from './capabilities/feeds/capability.ts'
import { importsCapability } from './capabilities/import/capability.ts'
import { intakesCapability } from './capabilities/intakes/capability.ts'
import { joinedProjectsCapability } from './capabilities/joined-projects/capability.ts'
import { mcpCapability } from './capabilities/mcp/capability.ts'
import { membersOnlyCapability } from './capabilities/members-only/capability.ts'
import { metricsCapability } from './capabilities/metrics/capability.ts'
import { picturesCapability } from './capabilities/pictures/capability.ts'
import { pruningCapability } from './capabilities/pruning/capability.ts'
import { publishersCapability } from './capabilities/publishers/capability.ts'
import { releasesCapability } from './capabilities/releases/capability.ts'
import { searchCapability } from './capabilities/search/capability.ts'
import { seedCapability } from './capabilities/seed/capability.ts'
import { standbysCapability } from './capabilities/standbys/capability.ts'
import { trustedUserCapability } from './capabilities/trusted-user/capability.ts'
import { wallCapability } from './capabilities/wall/capability.ts'
import { webhooksCapability } from './capabilities/webhooks/capability.ts'
import type { Capability } from './capability.ts'

/** Everything beyond the core. Without a line of this list, the service is without that capability. */
export const capabilities: readonly Capability[] = [
  searchCapability,
  environmentsCapability,
  releasesCapability,
  feedsCapability,
  changelogCapability,
  wallCapability,
  picturesCapability,
  importsCapability,
  mcpCapability,
  trustedUserCapability,
  membersOnlyCapability,
  cdeventsCapability,
  publishersCapability,
  intakesCapability,
  joinedProjectsCapability,
  webhooksCapability,
  abuseReportsCapability,
  pruningCapability,
  backupsCapability,
  standbysCapability,
  metricsCapability,
  seedCapability,
]
