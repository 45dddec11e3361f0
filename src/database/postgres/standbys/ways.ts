import type { Tell } from '../../tell.ts'
import { addressesIn } from '../addresses.ts'
import type { Connect } from '../connect.ts'
import { routeTo } from '../route.ts'
import { type Finding, openStandbys, type Standbys } from './standbys.ts'

/** How the servers of a database are reached other than by its address, and what is asked of its standbys. */
export type ServerWays = {
  readonly databaseListenUrl?: string | null
  readonly databaseReadUrl?: string | null
  readonly reads?: 'current' | 'eventual'
}

/** The standbys of a configuration, if it has any. */
export function standbysOf(ways: ServerWays, connectToPrimary: Connect, tell: Tell): Standbys | null {
  const { databaseReadUrl = null, reads = 'current' } = ways
  if (databaseReadUrl === null) return null
  const addresses = addressesIn('DATABASE_READ_URL', databaseReadUrl)
  return openStandbys({ addresses, connectToPrimary, isCurrent: reads === 'current', tell })
}

/** What keeps each standby of a configuration from being read from, as it is now. */
export async function lookAtStandbys(url: string, ways: ServerWays): Promise<readonly Finding[]> {
  const standbys = standbysOf(ways, routeTo(url, ways.databaseListenUrl).direct, () => {})
  if (standbys === null) return []
  try {
    return await standbys.look()
  } finally {
    await standbys.close(0)
  }
}
