import type { OwnOrder } from '../environment/stages.ts'
import { isBlank, oneLineProblems } from '../field-parsing.ts'
import { textBounds } from '../text-bounds.ts'
import { wordList } from '../word-list.ts'

/** A user; the API shows `id` and `name` (docs/decisions.md#announce). */
export type User = {
  readonly id: number
  readonly username: string
  readonly name: string
  /** See domain/environment/stages.ts. */
  readonly environmentOrder?: OwnOrder
}

/** The reasons to refuse a display name, empty if it is valid (docs/decisions.md#accounts). */
export function displayNameReasons(text: string): readonly string[] {
  return oneLineProblems(text, 'displayName')
}

export const usernameForm = /^[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*$/

/** A username as it is stored, in lower case; null for any other text. It may be reserved. */
export function usernameOf(text: string): string | null {
  // The pattern is checked first, because lower-casing turns the Kelvin sign into a k.
  return text.length <= textBounds.username && usernameForm.test(text) ? text.toLowerCase() : null
}

/** The name of a deleted account while its posts are being removed. No username has this spelling. */
export function deletedName(userId: number): string {
  return `~${userId}`
}

/** Whether a stored username is that of a deleted account. */
export function isDeleted(username: string): boolean {
  return username.startsWith('~')
}

/** The reasons to refuse a username for a new account, empty if it is valid. */
export function usernameReasons(text: string): string[] {
  if (isBlank(text)) return ["can't be blank"]
  const username = usernameOf(text)
  if (username === null) return [misspelling(text)]
  return reservedUsernames.has(username) ? ['is reserved: please choose another'] : []
}

export const usernameCharacters = 'letters (a–z), digits and single hyphens'

function misspelling(text: string): string {
  const [other] = /[^a-zA-Z0-9-]/u.exec(text) ?? []
  if (other === undefined) {
    return text.length > textBounds.username
      ? `must have at most ${textBounds.username} characters: these are ${text.length}`
      : 'must have single hyphens, each between letters or digits'
  }
  if (other === ' ') return `spaces aren't allowed: use ${usernameCharacters}`
  // Invisible characters, and those that change how their neighbours look, are not quoted.
  const isVisible = /[\p{L}\p{N}\p{P}\p{S}]/u.test(other)
  return `${isVisible ? `“${other}” isn't` : "invisible characters aren't"} allowed: use ${usernameCharacters}`
}

/** Path segments of this service, and names that would mislead people or programs. */
export const reservedUsernames = wordList(`
  api assets badge card ci docs environments favicon feed healthz openapi readyz robots settings sign-in sign-out sign-up wall

  about abuse access account accounts activate admin administrator all announcements anonymous app
  apple-touch-icon apps archive atom attachments auth authorize avatar avatars badges billing blog bot
  callback captcha categories category cdn changelog compare config contact cookies css dashboard data
  delete demo deploy deployment deployments dev devtest download downloads edit email embed error errors
  events everyone example explore export faq favorites feedback feeds file files fonts forgot
  forgot-password ftp ghost graphql guest guidelines health help home host hostmaster hosting htmx humans
  icon icons images img import index info install invite is issues javascript jobs js json jwks legal
  license live localhost log login logout logs mail mailer-daemon manifest mcp me media members messages metrics
  milestones moderator new news nobody noc none notification notifications null oauth oauth2 oembed official oidc
  org organizations orgs owner page pages password payment ping plans policy popular post postmaster posts
  press pricing privacy profile profiles public pulls register release releases replies repo repos reset
  root rss rules sales search security self service session sessions setup share shipfeed signin signout
  signup site sitemap sitemaps sse ssl staff stage staging star start static stats status store stream
  streams subscribe sudo superuser support swagger sysadmin sysop system target targets team teams terms
  test token tokens tos trending undefined unknown unsubscribe update upload uploads user username users v1
  v2 v3 verify void web webhook webhooks webmaster websocket well-known www xml
`)
