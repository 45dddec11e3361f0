import type { Capability } from '../../capability.ts'
import { settingsIn } from '../../settings-reader.ts'
import { dismissReportCommand, reportsCommand } from './commands.ts'
import { reportLink } from './page.tsx'
import { report } from './routes.tsx'
import { countReported } from './store.ts'

const variables = {
  REPORTS: {
    words: ['off', 'on'],
    says: 'readers may [report a deployment](operations.md#reports) to the operator',
  },
} as const

/** Lets readers report a deployment to the operator (docs/operations.md#reports). */
export const abuseReportsCapability: Capability = {
  name: 'abuse-reports',
  variables,
  commands: [reportsCommand, dismissReportCommand],
  metrics: {
    shipfeed_deployments_reported: {
      type: 'gauge',
      help: 'With REPORTS: reported deployments that the operator has neither withdrawn nor dismissed; the same on every process.',
    },
  },
  configure(env) {
    if (settingsIn(env, variables).oneOf('REPORTS') === 'off') return null
    return {
      start: ({ db }) => ({
        routes: report,
        slots: reportLink,
        gauges: { shipfeed_deployments_reported: () => countReported(db).catch(() => null) },
      }),
    }
  },
}
