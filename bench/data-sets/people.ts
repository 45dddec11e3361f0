import { hashSecret } from '../../src/data/account/tokens.ts'
import { tokenFrom } from '../../src/domain/account/token.ts'
import { ownNumber } from '../wrk.ts'

/** Users u1, u2 and so on have this many deployments each, so a larger data set only has more users. */
export const deploymentsEach = 110

/** Only the first users, at most this many, have a token. */
const posters = 1_000

export type Poster = {
  readonly username: string
  readonly userId: number
  readonly token: string
  readonly hash: string
}

/** Always the same tokens, so that a data set can be used again. */
export function allPosters(users: number): readonly Poster[] {
  return Array.from({ length: Math.min(users, posters) }, (_, index) => {
    const userId = index + 1
    const token = tokenFrom(new Bun.CryptoHasher('sha256').update(`bench ${userId}`).digest())
    return { username: `u${userId}`, userId, token, hash: hashSecret(token) }
  })
}

/** An announcement of a poster: each has its own link to one of their projects. */
export function announcementOf({ username }: Poster): { message: string; url: string } {
  return {
    message: '✨ Saved searches: pin one, get it back everywhere',
    url: `https://github.com/${username}/p1/pull/${ownNumber}`,
  }
}
