/** By which rules the tokens of an issuer are read: see identity.ts. */
export type IssuerKind = 'github' | 'gitlab' | 'other'

/** Who vouches for pipelines. The address is compared as exact text, as tokens spell it in `iss`. */
export type Issuer = { readonly address: string; readonly kind: IssuerKind }

/**
 * Reads one entry of OIDC_ISSUERS: an https address, or `gitlab+https://…` for a GitLab whose address does not
 * tell. On loopback, http will do outside production. Null if it is no such thing.
 */
export function issuerOf(entry: string, production: boolean): Issuer | null {
  const [, prefix, address = ''] = /^(gitlab\+)?(https?:.*)$/.exec(entry) ?? []
  const url = URL.parse(address)
  if (url === null || !isAllowed(url, production)) return null
  // What the parser would change, tokens may still spell; a query or a user has no place in an issuer.
  if (url.href !== address && url.href !== `${address}/`) return null
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return null
  return { address, kind: prefix === undefined ? kindOf(url) : 'gitlab' }
}

export const issuerAdvice = 'list https:// addresses, as tokens spell them in "iss"'

/** Whether a key may be fetched from there. */
export function isAllowed({ protocol, hostname }: URL, production: boolean): boolean {
  if (protocol === 'https:') return true
  return protocol === 'http:' && !production && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/** GitHub's own, its Enterprise Server and its cloud with data residency; gitlab.com and gitlab.example.org. */
function kindOf({ hostname, pathname }: URL): IssuerKind {
  const isGitHub =
    hostname === 'token.actions.githubusercontent.com' ||
    /^token\.actions\.[^.]+\.ghe\.com$/.test(hostname) ||
    pathname === '/_services/token'
  if (isGitHub) return 'github'
  return hostname.startsWith('gitlab.') ? 'gitlab' : 'other'
}

const names = { github: 'GitHub', gitlab: 'GitLab', other: null } as const

/** What people call an issuer: "GitHub", and "GitLab at gitlab.example.org" where there may be several. */
export function issuerName({ address, kind }: Issuer): string {
  const host = URL.parse(address)?.host ?? address
  const name = names[kind]
  if (name === null) return address.replace(/^https:\/\//, '')
  if (host === 'token.actions.githubusercontent.com' || host === 'gitlab.com') return name
  return `${name} at ${host.replace(/^token\.actions\./, '')}`
}
