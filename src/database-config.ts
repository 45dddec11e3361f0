import { addressesOf } from './database/postgres/addresses.ts'
import { ConfigError, type Environment, oneOf, secret } from './environment.ts'

/** Which database it is, and how it is reached (docs/operations.md#beyond-one-machine). */
export type DatabaseConfig = Readonly<{
  /** Null means the embedded database in `dataDir`. */
  databaseUrl: string | null
  dataDir: string
  /** The same database past a pooler: what needs a session of its own goes there. */
  databaseListenUrl: string | null
  /** Standbys that answer what only reads: each host is one. */
  databaseReadUrl: string | null
  /** Whether what a standby answers has to be as fresh as the primary. */
  reads: 'current' | 'eventual'
  /** How a process hears that the feed has something new: by NOTIFY, or by looking again and again. */
  bell: 'notify' | 'poll'
}>

const readOnly = ['read-only', 'standby', 'prefer-standby']

/** Reads and checks what the environment says of the database; throws ConfigError. */
export function databaseConfig(env: Environment): DatabaseConfig {
  const databaseUrl = postgresUrl(env, 'DATABASE_URL', readOnly)
  const config: DatabaseConfig = {
    databaseUrl,
    dataDir: env.DATA_DIR || './data',
    databaseListenUrl: postgresUrl(env, 'DATABASE_LISTEN_URL', readOnly),
    databaseReadUrl: postgresUrl(env, 'DATABASE_READ_URL'),
    reads: oneOf(env, 'READS', ['current', 'eventual']),
    bell: oneOf(env, 'BELL', ['notify', 'poll']),
  }
  for (const name of ['DATABASE_LISTEN_URL', 'DATABASE_READ_URL', 'READS', 'BELL']) {
    const isSet = Boolean(env[name] || env[`${name}_FILE`])
    if (isSet && databaseUrl === null) {
      throw new ConfigError(`${name} is for a Postgres of your own: set DATABASE_URL too, or unset it`)
    }
  }
  if (env.READS && config.databaseReadUrl === null) {
    throw new ConfigError('READS is for standbys: set DATABASE_READ_URL too, or unset it')
  }
  return config
}

function postgresUrl(env: Environment, name: string, refused: readonly string[] = []): string | null {
  const text = secret(env, name)
  if (text === '') return null
  const addresses = addressesOf(text)
  // The value is not repeated, since it may hold a password.
  if (addresses === null)
    throw new ConfigError(
      `${name} is not a Postgres address: set postgres://user:password@host:port/database`,
    )
  if (addresses.some(({ wanted }) => refused.includes(wanted)))
    throw new ConfigError(`${name} leads to a server that writes: leave out its target_session_attrs`)
  return text
}
