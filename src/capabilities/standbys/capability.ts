import type { Capability } from '../../capability.ts'
import { routeTo } from '../../database/postgres/pooler.ts'
import { ConfigError, onlyForPostgres, postgresUrl, settingsIn } from '../../settings-reader.ts'
import { standbyFinding } from './finding.ts'
import { type OpenStandbys, openStandbys } from './standbys.ts'

const variables = {
  DATABASE_READ_URL: { says: '[standbys](scaling.md#standbys) that answer public reads, one per host' },
  DATABASE_READ_URL_FILE: { says: 'a file that holds it instead' },
  READS: {
    words: ['current', 'eventual'],
    says: '`eventual`: a standby may give an [outdated answer](scaling.md#standbys)',
  },
} as const

/** Has standbys of the database answer public reads (docs/architecture.md#standbys). */
export const standbysCapability: Capability = {
  name: 'standbys',
  variables,
  metrics: {
    shipfeed_standbys: {
      type: 'gauge',
      help: 'With DATABASE_READ_URL: the servers in it, without a primary.',
    },
    shipfeed_standbys_read: {
      type: 'gauge',
      help: 'With DATABASE_READ_URL: how many of them are read from now; 0: the primary answers everything.',
    },
  },
  configure(env, { databaseUrl, databaseListenUrl }) {
    const isCurrent = settingsIn(env, variables).oneOf('READS') === 'current'
    if (databaseUrl === null) onlyForPostgres(env, Object.keys(variables))
    const url = postgresUrl(env, 'DATABASE_READ_URL')
    if (env.READS && url === null)
      throw new ConfigError('READS is for standbys: set DATABASE_READ_URL too, or unset READS')
    if (databaseUrl === null || url === null) return null
    let opened: OpenStandbys | null = null
    return {
      standbys(connectToPrimary, report) {
        opened = openStandbys({ url, isCurrent }, connectToPrimary, report)
        return opened
      },
      async check() {
        const standbys = openStandbys({ url, isCurrent }, routeTo(databaseUrl, databaseListenUrl).direct)
        try {
          return (await standbys.look()).map(standbyFinding)
        } finally {
          await standbys.close(0)
        }
      },
      start: () => ({
        gauges: {
          shipfeed_standbys: () => opened?.count ?? null,
          shipfeed_standbys_read: () => opened?.read ?? null,
        },
      }),
    }
  },
}
