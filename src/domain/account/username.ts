import { isBlank } from '../text.ts'

/**
 * A username in the spelling that is stored, or null if the text is not spelled like one: 1 to 39 of
 * a–z, 0–9 and single inner hyphens, in any case (docs/decisions.md#accounts). It may be reserved.
 */
export function usernameOf(text: string): string | null {
  // ASCII is checked first: lower-casing would turn the Kelvin sign into a k.
  return text.length <= 39 && /^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$/.test(text) ? text.toLowerCase() : null
}

/**
 * What a deleted account is called while what it posted is removed; no username is spelled like this one. The
 * deployments of such an account are shown nowhere any more.
 */
export function deletedName(userId: number): string {
  return `~${userId}`
}

/** Whether an account of this username, as it is stored, is deleted. */
export function isDeleted(username: string): boolean {
  return username.startsWith('~')
}

/** The reasons to refuse a username for a new account, none if it is good. */
export function usernameReasons(text: string): string[] {
  if (isBlank(text)) return ["can't be blank"]
  const username = usernameOf(text)
  if (username === null) return [`must be ${spelling}: ${misspelling(text)}`]
  return reservedUsernames.has(username) ? ['is reserved: please choose another'] : []
}

const spelling = '1 to 39 letters (a–z) and digits, with single hyphens between them'

/** The first thing that is wrong with a text, since who typed it does not see it. */
function misspelling(text: string): string {
  const [other] = /[^a-zA-Z0-9-]/u.exec(text) ?? []
  if (other === undefined) return text.length > 39 ? `these are ${text.length}` : 'one of its hyphens is not'
  if (other === ' ') return 'there is a space in it'
  // What is not seen, or changes how its neighbours are seen, cannot be shown.
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(other) ? `“${other}” is none of these` : 'something in it is not seen'
}

/** The first path segments of this service, and names that would mislead people or programs. */
export const reservedUsernames: ReadonlySet<string> = new Set(
  `
  api assets badge ci docs favicon feed healthz openapi readyz robots settings sign-in sign-out sign-up wall

  about abuse access account accounts activate admin administrator all announcements anonymous app
  apple-touch-icon apps archive atom attachments auth authorize avatar avatars badges billing blog bot
  callback captcha categories category cdn changelog compare config contact cookies css dashboard data
  delete demo deploy deployment deployments dev devtest download downloads edit email embed error errors
  events everyone example explore export faq favorites feedback feeds file files fonts forgot
  forgot-password ftp ghost graphql guest guidelines health help home host hostmaster hosting htmx humans
  icon icons images img import index info install invite is issues javascript jobs js json jwks legal
  license live localhost log login logout logs mail mailer-daemon manifest me media members messages metrics
  milestones moderator new news nobody noc none notification notifications null oauth oauth2 official oidc
  org organizations orgs owner page pages password payment ping plans policy popular post postmaster posts
  press pricing privacy profile profiles public pulls register release releases replies repo repos reset
  root rss rules sales search security self service session sessions setup share shipfeed signin signout
  signup site sitemap sitemaps sse ssl staff stage staging star start static stats status store stream
  streams subscribe sudo superuser support swagger sysadmin sysop system target targets team teams terms
  test token tokens tos trending undefined unknown unsubscribe update upload uploads user username users v1
  v2 v3 verify void web webhook webhooks webmaster websocket well-known www xml
  `
    .trim()
    .split(/\s+/),
)
