import type { Report } from '../db.ts'
import { DatabaseUnusable } from '../errors.ts'
import { type Parameters, readParameters } from './address-parameters.ts'

/** One server of a Postgres URL. */
export type Address = Parameters & { readonly endpoint: Endpoint }

/** A host and a port, or the path of a socket. */
type Endpoint = { readonly host: string; readonly port: number } | { readonly path: string }

const defaultPort = 5432

/** Completes "DATABASE_URL …". The value is not repeated, since it may hold a password. */
const noAddress = 'is not a Postgres address: set it to postgres://user:password@host:port/database'

type Read =
  | { readonly outcome: 'valid'; readonly addresses: readonly Address[] }
  | { readonly outcome: 'invalid'; readonly reason: string }

/**
 * The servers of a Postgres URL: standbys, or a primary and its possible successors. A host may be the folder of a
 * socket: `postgres://%2Frun%2Fpostgresql/db` or `postgres:///db?host=/run/postgresql`. The reason completes the name of
 * the setting.
 */
export function readAddresses(databaseUrl: string): Read {
  const [, user = '', authority, path = '', search = ''] =
    /^postgres(?:ql)?:\/\/(?:([^/?#\s]*)@)?([^/?#@\s]*)(?:\/([^?#\s]*))?(?:\?([^#\s]*))?$/.exec(
      databaseUrl,
    ) ?? []
  if (authority === undefined || !isDecodable(databaseUrl)) return { outcome: 'invalid', reason: noAddress }
  const query = new URLSearchParams(search)
  const hosts = (query.get('host') ?? decodeURIComponent(authority)).split(',')
  const ports = (query.get('port') ?? '').split(',')
  const endpoints = hosts.map((host, n) => endpointOf(host, ports[n] ?? ports[0] ?? ''))
  if (!endpoints.every((endpoint) => endpoint !== null)) return { outcome: 'invalid', reason: noAddress }
  const [, name = '', password] = /^([^:]*)(?::(.*))?$/.exec(user) ?? []
  const read = readParameters(query, {
    user: decodeURIComponent(name),
    password: password === undefined ? null : decodeURIComponent(password),
    database: decodeURIComponent(path),
  })
  if (typeof read === 'string') return { outcome: 'invalid', reason: read }
  return { outcome: 'valid', addresses: endpoints.map((endpoint) => ({ endpoint, ...read })) }
}

/** Throws DatabaseUnusable. */
export function addressesIn(setting: string, databaseUrl: string): readonly Address[] {
  const read = readAddresses(databaseUrl)
  if (read.outcome === 'valid') return read.addresses
  throw new DatabaseUnusable(`${setting} ${read.reason}`)
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
    ({ endpoint, tls }) => 'host' in endpoint && isAway(endpoint.host) && tls === null,
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
