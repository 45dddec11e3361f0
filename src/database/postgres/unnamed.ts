import { makePgArray } from 'drizzle-orm/pg-core'
import type postgres from 'postgres'

export type Parameters = postgres.ParameterOrJSON<never>[]
export type Query = ReturnType<postgres.Sql['unsafe']>

const extended = { simple: false, prepare: false }

/**
 * A query that leaves no name on the server, sent at once. Without a name the driver would first ask for the
 * types of its parameters and wait (postgres.js 3.4.9, `describeFirst`), and so keep a pooled connection, and
 * perhaps the lock of all announcements, for a round trip more. It does not ask if it finds the parameters
 * written out. Their types are then the server's to say, as they are of a literal.
 */
export function unnamed(client: postgres.Sql, statement: string, parameters: Parameters = []): Query {
  if (parameters.length === 0) return client.unsafe(statement)
  const query = client.unsafe(statement, [], extended)
  return Object.assign(query, { parameters: parameters.map(written) })
}

function written(value: Parameters[number]): string | null {
  if (value === null) return null
  if (Array.isArray(value)) return makePgArray(value)
  if (['string', 'number', 'boolean', 'bigint'].includes(typeof value)) return String(value)
  throw new TypeError(`a parameter cannot be written: ${Object.prototype.toString.call(value)}`)
}
