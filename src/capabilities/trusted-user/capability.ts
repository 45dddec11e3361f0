import type { Capability } from '../../capability.ts'
import { unmatchable } from '../../data/account/passwords.ts'
import { createUser } from '../../data/account/users.ts'
import { ConfigError, type Environment } from '../../settings-reader.ts'
import { namedUserReader } from './store.ts'
import { trustedUsers } from './visitors.ts'

const variables = {
  TRUSTED_USER_HEADER: {
    says: 'the header in which a [proxy that signs in](operations.md#a-proxy-that-signs-in) names the user; needs `TRUSTED_PROXIES`',
  },
  TRUSTED_NAME_HEADER: { says: 'the header with the display name of a new user' },
} as const

/** Lets a proxy in front of the service sign users in (docs/operations.md#a-proxy-that-signs-in). */
export const trustedUserCapability: Capability = {
  name: 'trusted-user',
  variables,
  configure(env, { trustedProxies, registrationOpen }) {
    const userHeader = headerName(env, 'TRUSTED_USER_HEADER')
    const nameHeader = headerName(env, 'TRUSTED_NAME_HEADER')
    if (userHeader === null && nameHeader !== null)
      throw new ConfigError('TRUSTED_NAME_HEADER needs TRUSTED_USER_HEADER: set it')
    if (userHeader === null) return null
    if (trustedProxies.length === 0)
      throw new ConfigError('TRUSTED_USER_HEADER is trusted only from TRUSTED_PROXIES: list your proxy there')
    return {
      noted: { proxySignsIn: true },
      start: ({ db, log }) => ({
        visitors: (entrance) =>
          trustedUsers({
            ...entrance,
            headers: { userHeader, nameHeader },
            findUser: namedUserReader(db),
            createUser: registrationOpen
              ? (account) => createUser(db, { ...account, passwordHash: unmatchable })
              : null,
            log,
          }),
      }),
    }
  },
}

/** In lower case. Null if it is not set. */
function headerName(env: Environment, name: keyof typeof variables): string | null {
  const text = env[name] ?? ''
  if (/^[A-Za-z0-9-]*$/.test(text)) return text.toLowerCase() || null
  throw new ConfigError(`${name} is ${JSON.stringify(text)}: set the name of a header, such as Remote-User`)
}
