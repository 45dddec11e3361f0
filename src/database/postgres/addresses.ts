/** One server of a DATABASE_URL. */
export type Address = {
  /** The whole URL, for its user, database and options; not for the place that stands in it. */
  readonly url: string
  readonly place: Place
}

/** A host and a port, or the path of a socket. */
export type Place = { readonly host: string; readonly port: number } | { readonly path: string }

const defaultPort = 5432

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
  query.delete('host')
  query.delete('port')
  const url = `${begin}localhost${path}${query.size === 0 ? '' : `?${query}`}`
  const places = hosts.map((host, n) => placeOf(host, ports[n] ?? ports[0] ?? ''))
  return places.every((place) => place !== null) ? places.map((place) => ({ url, place })) : null
}

function placeOf(text: string, otherPort: string): Place | null {
  const [, name, ownPort = otherPort] = /^(\/[^:]*|\[[\da-f:]+\]|[^:[\]]*)(?::(\d+))?$/i.exec(text) ?? []
  const port = ownPort === '' ? defaultPort : Number(ownPort)
  if (name === undefined || !(port > 0 && port < 65_536)) return null
  if (name.startsWith('/')) return { path: `${name}/.s.PGSQL.${port}` }
  return { host: name.replace(/^\[|\]$/g, '') || 'localhost', port }
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== ''
  } catch {
    return false
  }
}
