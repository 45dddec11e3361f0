import { DatabaseUnusable } from '../errors.ts'

/** One server of a DATABASE_URL. */
export type Address = {
  /** The whole URL, for its user, database and options; not for the place that stands in it. */
  readonly url: string
  readonly place: Place
  /** Which of several servers is wanted: a word of `target_session_attrs`, as for psql. */
  readonly wanted: string
}

/** A host and a port, or the path of a socket. */
export type Place = { readonly host: string; readonly port: number } | { readonly path: string }

const defaultPort = 5432
const wantable = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby']

/**
 * The servers of a Postgres URL, in its order; null if it is none. It may have several hosts, with
 * `target_session_attrs` to choose among them, and the folder of a socket in place of a host, as for psql:
 * `postgres://%2Frun%2Fpostgresql/db` or `postgres:///db?host=/run/postgresql`.
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
  // The driver does not look, and takes a standby of Postgres 14 or newer for one that is read-write.
  for (const ours of ['host', 'port', 'target_session_attrs']) query.delete(ours)
  const url = `${begin}localhost${path}${query.size === 0 ? '' : `?${query}`}`
  const places = hosts.map((host, n) => placeOf(host, ports[n] ?? ports[0] ?? ''))
  return places.every((place) => place !== null) ? places.map((place) => ({ url, place, wanted })) : null
}

/** The same of a setting; throws DatabaseUnusable. */
export function addressesIn(setting: string, databaseUrl: string): readonly Address[] {
  const addresses = addressesOf(databaseUrl)
  if (addresses === null) throw new DatabaseUnusable(`${setting} is not a Postgres address`)
  return addresses
}

function placeOf(text: string, otherPort: string): Place | null {
  const [, name, ownPort = otherPort] = /^(\/[^:]*|\[[\da-f:]+\]|[^:[\]]*)(?::(\d+))?$/i.exec(text) ?? []
  const port = ownPort === '' ? defaultPort : Number(ownPort)
  if (name === undefined || !(port > 0 && port < 65_536)) return null
  if (name.startsWith('/')) return { path: `${name}/.s.PGSQL.${port}` }
  return { host: name.replace(/^\[|\]$/g, '') || 'localhost', port }
}

/** How a server is told from the others in what an operator reads. */
export function nameOf({ place }: Address): string {
  return 'path' in place ? place.path : `${place.host}:${place.port}`
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== ''
  } catch {
    return false
  }
}
