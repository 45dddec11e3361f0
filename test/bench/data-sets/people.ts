import { hashSecret } from '../../../src/data/account/secret.ts'
import { tokenFrom } from '../../../src/domain/account/token.ts'

/** The users of every data set, u1 to u10000; all with equally many deployments. */
export const users = 10_000

/** The first so many users have a token. */
export const posters = 1_000

export type Poster = {
  readonly username: string
  readonly userId: number
  readonly token: string
  readonly hash: string
}

/** Always the same tokens, so that a data set can be used again. */
export function allPosters(): readonly Poster[] {
  return Array.from({ length: posters }, (_, index) => {
    const userId = index + 1
    const token = tokenFrom(new Bun.CryptoHasher('sha256').update(`bench ${userId}`).digest())
    return { username: `u${userId}`, userId, token, hash: hashSecret(token) }
  })
}

/** What a poster announces: a link of theirs, so that four scopes are brought up to date. */
export function announcementOf({ username }: Poster): { message: string; url: string } {
  return {
    message: '✨ Saved searches: pin one, get it back everywhere',
    url: `https://github.com/${username}/p1/pull/412`,
  }
}
