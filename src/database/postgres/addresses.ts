import type { Report } from '../db.ts'
import { DatabaseUnusable } from '../errors.ts'

/** One server of a Postgres URL. */
export type Address = {
  /** Its host is only a placeholder. */
  readonly url: string
  readonly endpoint: Endpoint
  /** The value of `target_session_attrs`, or `any`. Only `read-write` and `primary` have an effect. */
  readonly wanted: string
}

/** A host and a port, or the path of a socket. */
export type Endpoint = { readonly host: string; readonly port: number } | { readonly path: string }

const defaultPort = 5432
const wantable = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby']

/**
 * The servers of a Postgres URL: standbys, or a primary and its possible successors. Null for any other text. A host
 * may be the folder of a socket: `postgres://%2Frun%2Fpostgresql/db` or `postgres:///db?host=/run/postgresql`.
 */
export function addressesOf(databaseUrl: string): readonly Address[] | null {
  const [, begin, authority = '', path = '', search = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#\s]*@)?)([^/?#@\s]*)(\/[^?#\s]*)?(\?[^#\s]*)?$/.exec(databaseUrl) ?? []
  if (begin === undefined || !isDecodable(databaseUrl)) return null
  const query = new URLSearchParams(search)
  const hosts = (query.get('host') ?? decodeURIComponent(authority)).split(',')
  const ports = (query.get('port') ?? '').split(',')
  const wanted = query.get('target_session_attrs') ?? 'any'
  if (!wantable.includes(wanted)) return null
  // The driver must not choose a server: it mistakes a standby of Postgres 14 or newer for a read-write server.
  for (const ours of ['host', 'port', 'target_session_attrs']) query.delete(ours)
  const url = `${begin}localhost${path}${query.size === 0 ? '' : `?${query}`}`
  const endpoints = hosts.map((host, n) => endpointOf(host, ports[n] ?? ports[0] ?? ''))
  return endpoints.every((endpoint) => endpoint !== null)
    ? endpoints.map((endpoint) => ({ url, endpoint, wanted }))
    : null
}

/** The value is not repeated, since it may hold a password. */
export function notAnAddress(setting: string): string {
  return `${setting} is not a Postgres address: set it to postgres://user:password@host:port/database`
}

export function addressesIn(setting: string, databaseUrl: string): readonly Address[] {
  const addresses = addressesOf(databaseUrl)
  if (addresses === null) throw new DatabaseUnusable(notAnAddress(setting))
  return addresses
}

function endpointOf(text: string, otherPort: string): Endpoint | null {
  const [, name, ownPort = otherPort] = /^(\/[^:]*|\[[\da-f:]+\]|[^:[\]]*)(?::(\d+))?$/i.exec(text) ?? []
  const port = ownPort === '' ? defaultPort : Number(ownPort)
  if (name === undefined || !(port > 0 && port < 65_536)) return null
  if (name.startsWith('/')) return { path: `${name}/.s.PGSQL.${port}` }
  return { host: name.replace(/^\[|\]$/g, '') || 'localhost', port }
}

export function serverName({ endpoint }: Address): string {
  return 'path' in endpoint ? endpoint.path : `${endpoint.host}:${endpoint.port}`
}

/** Reports servers on other machines, unless the URL has a setting for TLS. Names without a dot count as local. */
export function reportPlain(setting: string, addresses: readonly Address[], report: Report): void {
  const isAway = (host: string) => /[.:]/.test(host) && !/^(127\.[\d.]+|::1)$/.test(host)
  const plain = addresses.filter(
    ({ url, endpoint }) => 'host' in endpoint && isAway(endpoint.host) && !/[?&]ssl(mode)?=/.test(url),
  )
  if (plain.length === 0) return
  const names = plain.map(serverName).join(', ')
  const advice =
    'add the parameter sslmode=verify-full, or sslmode=disable if no one can eavesdrop between this process and the server'
  report(`${setting} leads to ${names} without TLS: ${advice}`, 'database_plain')
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== ''
  } catch {
    return false
  }
}
