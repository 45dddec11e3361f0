/** The kind of issuer, which decides how its tokens are read: see claims.ts. */
export type IssuerKind = 'github' | 'gitlab' | 'other'

/** An issuer of identity tokens. Its address is compared with `iss` as exact text. */
export type Issuer = { readonly address: string; readonly kind: IssuerKind }

/**
 * Reads one entry of OIDC_ISSUERS: an https address, or `gitlab+https://…` for a GitLab whose address does not
 * show that it is one. Outside production, http is allowed on loopback. Null for any other entry.
 */
export function issuerOf(entry: string, production: boolean): Issuer | null {
  const [, prefix, address = ''] = /^(gitlab\+)?(https?:.*)$/.exec(entry) ?? []
  const url = URL.parse(address)
  if (url === null || !isAllowed(url, production)) return null
  // `iss` is compared as text, so the parser must not change the address. An issuer has no query and no user.
  if (url.href !== address && url.href !== `${address}/`) return null
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return null
  return { address, kind: prefix === undefined ? kindOf(url) : 'gitlab' }
}

export const issuerAdvice = 'list https:// addresses, as tokens spell them in "iss"'

/** Whether keys may be fetched from this address. */
export function isAllowed({ protocol, hostname }: URL, production: boolean): boolean {
  if (protocol === 'https:') return true
  return protocol === 'http:' && !production && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/**
 * Recognises github.com, GitHub Enterprise Server and GitHub with data residency, and GitLab on a host that
 * begins with `gitlab.`.
 */
function kindOf({ hostname, pathname }: URL): IssuerKind {
  const isGitHub =
    hostname === 'token.actions.githubusercontent.com' ||
    /^token\.actions\.[^.]+\.ghe\.com$/.test(hostname) ||
    pathname === '/_services/token'
  if (isGitHub) return 'github'
  return hostname.startsWith('gitlab.') ? 'gitlab' : 'other'
}

/** The address of an issuer's repositories, without its protocol and trailing slash; null if it is no forge. */
export function forgeOf({ address, kind }: Issuer): string | null {
  if (kind === 'other') return null
  if (kind === 'gitlab') return address.replace(/^https?:\/\/|\/$/g, '')
  const host = URL.parse(address)?.host ?? ''
  return host === 'token.actions.githubusercontent.com' ? 'github.com' : host.replace(/^token\.actions\./, '')
}

const names = { github: 'GitHub', gitlab: 'GitLab', other: null } as const

/** The name of an issuer for people: "GitHub", or "GitLab at gitlab.example.org" if there may be several. */
export function issuerName({ address, kind }: Issuer): string {
  const host = URL.parse(address)?.host ?? address
  const name = names[kind]
  if (name === null) return address.replace(/^https:\/\//, '')
  if (host === 'token.actions.githubusercontent.com' || host === 'gitlab.com') return name
  return `${name} at ${host.replace(/^token\.actions\./, '')}`
}
