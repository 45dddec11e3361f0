import { readFileSync } from 'node:fs'
import { codeOf } from '../errors.ts'

/** Whether a connection is encrypted, and what of the certificate is checked, as the driver takes it. */
type Tls =
  | false
  | 'prefer'
  | 'require'
  | { readonly ca?: string; readonly checkServerIdentity?: () => undefined }

/** Who asks for which database, as the driver takes it; what is missing, it takes from PGUSER and the like. */
type Session = {
  readonly user?: string
  readonly password?: string
  readonly database?: string
  readonly connection: { readonly application_name: string; readonly options?: string }
}

export type Parameters = {
  /** The value of `target_session_attrs`. Only `read-write` and `primary` have an effect. */
  readonly wanted: (typeof wantable)[number]
  /** Null if nothing is said about it; there is none then. */
  readonly tls: Tls | null
  readonly session: Session
}

const wantable = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const
const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

/** Those of libpq that are read, here and in addresses.ts; `ssl` is another name of `sslmode`. */
const known = [
  ...['host', 'port', 'user', 'password', 'dbname', 'target_session_attrs'],
  ...['ssl', 'sslmode', 'sslrootcert', 'application_name', 'options'],
]

/**
 * Those of libpq without which a connection works and is as safe. `channel_binding` would help where a certificate is
 * not checked, and the driver cannot do it.
 */
const leftOut = [
  ...['channel_binding', 'client_encoding', 'connect_timeout', 'fallback_application_name', 'gssdelegation'],
  ...['gssencmode', 'gsslib', 'keepalives', 'keepalives_count', 'keepalives_idle', 'keepalives_interval'],
  ...['krbsrvname', 'load_balance_hosts', 'sslcompression', 'sslnegotiation', 'sslsni', 'tcp_user_timeout'],
]

type Place = { readonly user: string; readonly password: string | null; readonly database: string }

/** The parameters of a Postgres URL. Otherwise, the reason why it is refused, which completes "DATABASE_URL …". */
export function readParameters(query: URLSearchParams, place: Place): Parameters | string {
  const unknown = [...query.keys()].find((name) => !known.includes(name) && !leftOut.includes(name))
  if (unknown !== undefined) {
    // Anything else may be a part of a password that holds a question mark.
    const named = /^[A-Za-z_]{1,40}$/.test(unknown) ? `the parameter ${unknown}` : 'a parameter'
    return `has ${named}, which Shipfeed does not know: remove it`
  }
  const wanted = wantable.find((one) => one === (query.get('target_session_attrs') ?? 'any'))
  if (wanted === undefined) return `has a wrong target_session_attrs: set one of ${wantable.join(', ')}`
  const tls = readTls(query)
  if (typeof tls === 'object' && tls !== null && 'reason' in tls) return tls.reason
  const user = query.get('user') ?? place.user
  const password = query.get('password') ?? place.password
  const database = query.get('dbname') ?? place.database
  const options = query.get('options')
  const session = {
    ...(user === '' ? {} : { user }),
    ...(password === null ? {} : { password }),
    ...(database === '' ? {} : { database }),
    connection: {
      application_name: query.get('application_name') || 'shipfeed',
      ...(options === null ? {} : { options }),
    },
  }
  return { wanted, tls, session }
}

/** As libpq, except that `allow` is `prefer`, and that an authority makes `verify-full` the default. */
function readTls(query: URLSearchParams): Tls | null | { readonly reason: string } {
  const authority = query.get('sslrootcert')
  const text = query.get('sslmode') ?? aliases[query.get('ssl') ?? ''] ?? query.get('ssl')
  const mode = sslModes.find((one) => one === (text ?? 'verify-full'))
  if (mode === undefined) return { reason: `has a wrong sslmode: set one of ${sslModes.join(', ')}` }
  if (text === null && authority === null) return null
  if (mode === 'disable') return false
  if (mode === 'allow' || mode === 'prefer') return 'prefer'
  if (mode === 'require' && authority === null) return 'require'
  // With an authority, libpq takes `require` for `verify-ca`.
  const unnamed = mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }
  if (authority === null || authority === 'system') return unnamed
  try {
    return { ca: readFileSync(authority, 'utf8'), ...unnamed }
  } catch (error) {
    return {
      reason: `names an sslrootcert that cannot be read (${codeOf(error)}): name the file of the authority`,
    }
  }
}

const aliases: Readonly<Record<string, string>> = { true: 'verify-full', false: 'disable' }
