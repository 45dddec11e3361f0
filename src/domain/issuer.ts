/** Decides how tokens are read (claims.ts). */
export type IssuerKind = 'github' | 'gitlab' | 'buildkite' | 'circleci' | 'other'

/** The address is compared with `iss` as exact text. */
export type Issuer = { readonly address: string; readonly kind: IssuerKind }

/**
 * Reads one entry of OIDC_ISSUERS: an address, with a prefix such as `gitlab+` if it does not show the kind.
 * Outside production, http is allowed on loopback. Null for any other entry.
 */
export function issuerOf(entry: string, production: boolean): Issuer | null {
  const [, prefix, address = ''] = /^(?:(gitlab|buildkite|circleci)\+)?(https?:.*)$/.exec(entry) ?? []
  const url = URL.parse(address)
  if (url === null || !isAllowed(url, production)) return null
  // `iss` is compared as text, so the parser must not change the address. An issuer has no query and no user.
  if (url.href !== address && url.href !== `${address}/`) return null
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return null
  return { address, kind: (prefix as IssuerKind | undefined) ?? kindOf(url) }
}

export const issuerAdvice = 'list https:// addresses, as tokens spell them in "iss"'

/** Whether keys may be fetched from this address. */
export function isAllowed({ protocol, hostname }: URL, production: boolean): boolean {
  if (protocol === 'https:') return true
  return protocol === 'http:' && !production && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/** Only its tokens say anything about the repositories of github.com. */
const ofGitHubCom = 'token.actions.githubusercontent.com'

/**
 * Also recognizes GitHub Enterprise Server, GitHub with data residency, and GitLab at `gitlab.`. In CircleCI,
 * each organization is an issuer.
 */
function kindOf({ hostname, pathname }: URL): IssuerKind {
  const isGitHub =
    hostname === ofGitHubCom ||
    /^token\.actions\.[^.]+\.ghe\.com$/.test(hostname) ||
    pathname === '/_services/token'
  if (isGitHub) return 'github'
  if (hostname.startsWith('gitlab.')) return 'gitlab'
  if (hostname === 'agent.buildkite.com') return 'buildkite'
  return hostname === 'oidc.circleci.com' ? 'circleci' : 'other'
}

/** The address of an issuer's repositories, without protocol and trailing slash; null if it is no forge. */
export function forgeOf({ address, kind }: Issuer): string | null {
  if (kind === 'gitlab') return address.replace(/^https?:\/\/|\/$/g, '')
  if (kind !== 'github') return null
  const host = URL.parse(address)?.host ?? ''
  if (host === ofGitHubCom) return 'github.com'
  // No other issuer may claim the repositories of github.com.
  return host === 'github.com' ? null : host.replace(/^token\.actions\./, '')
}

const names = {
  github: 'GitHub',
  gitlab: 'GitLab',
  buildkite: 'Buildkite',
  circleci: 'CircleCI',
  other: null,
} as const

/** The name of an issuer for people: "GitHub", or "GitLab at gitlab.example.org" if there may be several. */
export function issuerName({ address, kind }: Issuer): string {
  const host = URL.parse(address)?.host ?? address
  const name = names[kind]
  if (name === null) return address.replace(/^https:\/\//, '')
  if (kind === 'circleci') return `${name}, organization ${address.split('/').at(-1)}`
  if (host === ofGitHubCom || host === 'gitlab.com' || kind === 'buildkite') return name
  return `${name} at ${host.replace(/^token\.actions\./, '')}`
}
