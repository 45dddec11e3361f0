import type { User } from '../domain/account/user.ts'
import {
  displayNameReasons,
  maxUsernameCharacters,
  usernameCharacters,
  usernameOf,
  usernameReasons,
} from '../domain/account/user.ts'
import { type Log, onceAMinute } from '../log/log.ts'
import type { VisitorOf } from './visitor.ts'

type Options = {
  readonly headers: { readonly userHeader: string; readonly nameHeader: string | null }
  readonly isFromTrustedProxy: (request: Request) => boolean
  readonly findUser: (username: string) => Promise<User | null>
  /**
   * Creates an account. The function returns null if the username is taken or belonged to a deleted account. The
   * property is null if the server accepts no new accounts.
   */
  readonly createUser: ((account: { username: string; name: string }) => Promise<User | null>) | null
  readonly onCreated: (request: Request, user: User) => void
  readonly log: Log
}

export type TrustedUsers = {
  readonly visitorOf: VisitorOf
  /** The message for a request without a visitor: why there is none, and what to do about it. */
  readonly refusalOf: (request: Request) => string
}

const unnamed =
  'You are not signed in: this server received no username from a trusted proxy. Open this server at its public address.'

const invalid = `The proxy sent a name that is not a valid username. A valid username has 1 to ${maxUsernameCharacters} ${usernameCharacters}, and is not reserved. The operator of the proxy has to send another one.`

/**
 * Signs in the user that a trusted proxy names in a header of each request (docs/decisions.md#members-only). A new user
 * gets an account if `createUser` is given. A header from a peer that is no trusted proxy is ignored, which is
 * logged at most once a minute.
 */
export function trustedUsers(options: Options): TrustedUsers {
  const { headers, isFromTrustedProxy, findUser, createUser, onCreated, log } = options
  const known = new WeakMap<Request, ReturnType<VisitorOf>>()
  const refusals = new WeakMap<Request, string>()
  const logIgnored = onceAMinute(log)

  return {
    visitorOf(request) {
      const reading = known.get(request) ?? read(request)
      known.set(request, reading)
      return reading
    },
    refusalOf: (request) => refusals.get(request) ?? unnamed,
  }

  async function read(request: Request): ReturnType<VisitorOf> {
    const named = request.headers.get(headers.userHeader)
    if (named === null || named === '') return null
    if (!isFromTrustedProxy(request)) {
      const message = `${headers.userHeader} was ignored, because its sender is not in TRUSTED_PROXIES. If the sender is your proxy, add it`
      logIgnored('user_header_ignored', { message })
      return null
    }
    const username = usernameOf(named)
    const found = username === null ? null : await findUser(username)
    const user = found ?? (await create(request, named))
    // `hasJustSignedIn` is true, because the proxy decides when a user has to enter their password again.
    return user === null ? null : { user, sessionHash: '', hasJustSignedIn: true }
  }

  async function create(request: Request, named: string): Promise<User | null> {
    const username = usernameOf(named)
    if (username === null || usernameReasons(named).length > 0) return refused(request, invalid)
    if (createUser === null) {
      return refused(request, `There is no account @${username}, and this server accepts no new accounts.`)
    }
    const user = await createUser({ username, name: nameIn(request) ?? username })
    if (user !== null) {
      onCreated(request, user)
      return user
    }
    // Another request of the same browser may have created the account first.
    return (
      (await findUser(username)) ??
      refused(request, `The account @${username} was deleted. Its username cannot be used again.`)
    )
  }

  function refused(request: Request, reason: string): null {
    refusals.set(request, reason)
    return null
  }

  /** The display name that the proxy sends; null if it sends none or an invalid one. */
  function nameIn(request: Request): string | null {
    const sent = headers.nameHeader === null ? null : request.headers.get(headers.nameHeader)
    const name = utf8Of(sent ?? '').trim()
    return displayNameReasons(name).length === 0 ? name : null
  }
}

/** Decodes a header: proxies send UTF-8, but Bun reads headers as Latin-1. Text that is not UTF-8 stays as it is. */
function utf8Of(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}
