/** One server of a DATABASE_URL: where it is, and the whole URL with only that place in it. */
export type Address = {
  readonly url: string
  /** A host and a port, or the path of a socket. */
  readonly place: { readonly host: string; readonly port: number } | { readonly path: string }
}

const defaultPort = '5432'

/**
 * The servers of a Postgres URL, in its order; null where it is none. Several hosts may stand in it, with
 * `target_session_attrs` to choose among them, and a directory of a socket in place of a host: `%2Frun%2Fpg`
 * or `?host=/run/pg`, as for psql.
 */
export function addressesOf(databaseUrl: string): readonly Address[] | null {
  const [, begin, authority = '', path = '', search = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(\/[^?#]*)?(\?[^#]*)?$/.exec(databaseUrl) ?? []
  const query = new URLSearchParams(search)
  const hosts = (query.get('host') ?? authority).split(',')
  const ports = query.get('port')?.split(',')
  query.delete('host')
  query.delete('port')
  const rest = `${path}${query.size === 0 ? '' : `?${query}`}`
  const addresses = hosts.map((text, n): Address | null => {
    const [, host = '', port = ports?.[n] ?? ports?.[0] ?? defaultPort] =
      /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text) ?? []
    const url = `${begin}localhost${rest}`
    if (begin === undefined || !URL.canParse(url) || Number(port) > 65_535) return null
    const name = decodeURIComponent(host.replaceAll(/[[\]]/g, ''))
    const place = name.startsWith('/')
      ? { path: `${name}/.s.PGSQL.${port}` }
      : { host: name === '' ? 'localhost' : name, port: Number(port) }
    return { url, place }
  })
  return addresses.every((address) => address !== null) ? addresses : null
}
