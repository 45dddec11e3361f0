import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

type Key = { readonly kid: string; readonly privateKey: CryptoKey; readonly publicKey: CryptoKey }

/** A header that says what it should not, and another key to sign with. */
export type Signing = { readonly header?: Record<string, unknown>; readonly key?: Key }

/** Issuers on loopback, told apart by their path; the first is read as GitHub's are. */
const paths = {
  github: '/_services/token',
  gitlab: '/gitlab',
  buildkite: '/buildkite',
  circleci: '/org/0193abcd-0000-4000-8000-000000000001',
  other: '/other',
} as const

export type LocalKind = keyof typeof paths

/** Starts an issuer that signs whatever it is told to. `behave` gives another answer; undefined is the right one. */
export async function startIssuer() {
  let key = await newKey('RS256')
  let requests = 0
  let behave: (path: string) => Promise<Response | undefined> | Response | undefined = () => undefined
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch({ url }) {
      requests += 1
      const { origin, pathname } = new URL(url)
      const other = await behave(pathname)
      if (other !== undefined) return other
      if (pathname === '/keys') return Response.json({ keys: [await publicJwk(key)] })
      const [path = '', rest] = pathname.split('/.well-known/')
      if (rest !== 'openid-configuration') return new Response('', { status: 404 })
      return Response.json({ issuer: origin + path, jwks_uri: `${origin}/keys` })
    },
  })
  const addressOf = (kind: LocalKind) => server.url.origin + paths[kind]

  return {
    addressOf,
    /** What names all of them in the environment of a service. */
    environment: {
      OIDC_ISSUERS: [
        ...[addressOf('github'), `gitlab+${addressOf('gitlab')}`, `buildkite+${addressOf('buildkite')}`],
        ...[`circleci+${addressOf('circleci')}`, addressOf('other')],
      ].join(),
    },
    get requests() {
      return requests
    },
    get key() {
      return key
    },
    /** Signs with a new key from now on, and publishes it alone. */
    async rotate(alg: 'RS256' | 'ES256' = 'RS256') {
      key = await newKey(alg)
    },
    behave(as: typeof behave) {
      behave = as
    },
    async sign(claims: JWTPayload, { header = {}, key: by = key }: Signing = {}): Promise<string> {
      const { alg } = await publicJwk(by)
      const signing = new SignJWT(claims).setProtectedHeader({ alg, kid: by.kid, typ: 'JWT', ...header })
      return await signing.sign(by.privateKey)
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

export type LocalIssuer = Awaited<ReturnType<typeof startIssuer>>

export async function newKey(alg: 'RS256' | 'ES256', kid: string = crypto.randomUUID()): Promise<Key> {
  return { kid, ...(await generateKeyPair(alg, { extractable: true })) }
}

export async function publicJwk({ kid, publicKey }: Key) {
  const jwk = await exportJWK(publicKey)
  return { ...jwk, kid, alg: jwk.kty === 'EC' ? 'ES256' : 'RS256', use: 'sig' }
}
