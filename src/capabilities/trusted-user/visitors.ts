import {
  displayNameReasons,
  type User,
  usernameCharacters,
  usernameOf,
  usernameReasons,
} from '../../domain/account/user.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import type { Entrance, VisitorOf, Visitors } from '../../http/visitor.ts'
import { type Log, onceAMinute } from '../../log/log.ts'

type Options = Entrance & {
  readonly headers: { readonly userHeader: string; readonly nameHeader: string | null }
  readonly findUser: (username: string) => Promise<User | null>
  /** Resolves to null if the username is or was taken. It is null itself if the server accepts no new accounts. */
  readonly createUser: ((account: { username: string; name: string }) => Promise<User | null>) | null
  readonly log: Log
}

const unnamed =
  'You are not signed in: this server received no username from a trusted proxy. Open this server at its public address.'

const invalid = `The proxy sent a name that is not a valid username. A valid username has 1 to ${textBounds.username} ${usernameCharacters}, and is not reserved. Ask the operator of the proxy to have it send a valid username.`

/** Signs in the user that a trusted proxy names in a header of each request (docs/decisions.md#members-only). */
export function trustedUsers(options: Options): Visitors {
  const { headers, isFromTrustedProxy, findUser, createUser, onCreated, log } = options
  const known = new WeakMap<Request, ReturnType<VisitorOf>>()
  const refusals = new WeakMap<Request, string>()
  const logIgnored = onceAMinute(log)

  return {
    visitorOf: (request: Request) => known.getOrInsertComputed(request, read),
    refusalOf: (request: Request) => refusals.get(request) ?? unnamed,
  }

  async function read(request: Request): ReturnType<VisitorOf> {
    const named = request.headers.get(headers.userHeader)
    if (!named) return null
    if (!isFromTrustedProxy(request)) {
      const message = `${headers.userHeader} was ignored, because its sender is not in TRUSTED_PROXIES. If the sender is your proxy, add it`
      logIgnored('user_header_ignored', { message })
      return null
    }
    const username = usernameOf(named)
    if (username === null) return refused(request, invalid)
    const user = (await findUser(username)) ?? (await create(request, username))
    // `hasJustSignedIn` is true, because the proxy decides when a user has to enter their password again.
    return user === null ? null : { user, sessionHash: '', hasJustSignedIn: true }
  }

  async function create(request: Request, username: string): Promise<User | null> {
    if (usernameReasons(username).length > 0) return refused(request, invalid)
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

  function nameIn(request: Request): string | null {
    const sent = headers.nameHeader === null ? null : request.headers.get(headers.nameHeader)
    const name = utf8Of(sent ?? '').trim()
    return displayNameReasons(name).length === 0 ? name : null
  }
}

/** Proxies send UTF-8, but Bun reads headers as Latin-1. Text that is not UTF-8 stays as it is. */
function utf8Of(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}
