import { type Poster, signUpPoster } from '../people.ts'
import type { Service } from '../service.ts'

type Door = Pick<Service, 'fetch' | 'described'>

/** Where it is announced, and where the badge is asked for, which may be another process. */
export type Doors = { readonly announces: Door; readonly shows: Door }

/** The results so far. */
export type Rounds = {
  /** The ids of the announcements that were acknowledged, each followed by its badge. */
  readonly acknowledged: number[]
  /** Announcements that were answered with 503. */
  refused: number
  /** Badges that were drawn from the database, and badges and profiles without what was acknowledged before. */
  shown: number
  stale: number
  /** Badges and profiles that said "unavailable". */
  unavailable: number
  /** The longest that an answer took, in ms. */
  slowestMs: number
}

/**
 * Announces and then asks for the badge and the profile, again and again for several people, as long as `goesOn` says of the
 * rounds so far. While an announcement is under way, the badge of the one before it is asked for, too.
 */
export async function announceThenBadge(
  { shows }: Pick<Doors, 'shows'>,
  posters: readonly Poster[],
  goesOn: (rounds: Rounds) => boolean,
): Promise<Rounds> {
  const rounds: Rounds = { acknowledged: [], refused: 0, shown: 0, stale: 0, unavailable: 0, slowestMs: 0 }
  const begun = crypto.randomUUID()
  await Promise.all(posters.map(announce))
  return rounds

  async function announce(poster: Poster): Promise<void> {
    let last: string | null = null
    for (let n = 0; goesOn(rounds); n += 1) {
      const url = `https://${poster.username}.example/b${begun}/n${n}`
      let isAnswered = false
      const answer = timed(poster.announce({ message: 'Round', url })).finally(() => {
        isAnswered = true
      })
      while (last !== null && !isAnswered) {
        await look(poster, last)
        await Bun.sleep(5)
      }
      const { status, text } = await answer
      if (status === 503) rounds.refused += 1
      else if (status !== 201) throw new Error(`An announcement was answered with ${status}`)
      else {
        rounds.acknowledged.push((JSON.parse(text) as { id: number }).id)
        last = url
        await look(poster, url)
        await lookAtPage(poster, url)
      }
    }
  }

  /** A place that nobody deployed to is "Inactive". */
  async function look({ username }: Poster, url: string): Promise<void> {
    const path = `/badge/${username}.svg?url=${encodeURIComponent(url)}`
    const { text } = await timed(shows.fetch(path))
    if (text.includes('unavailable')) rounds.unavailable += 1
    else rounds.shown += 1
    if (!/Fresh|unavailable/.test(text)) rounds.stale += 1
  }

  /** The process may have kept the page from before the announcement. */
  async function lookAtPage({ username }: Poster, url: string): Promise<void> {
    const { status, text } = await timed(shows.fetch(`/${username}`))
    if (status !== 200) rounds.unavailable += 1
    else if (!text.includes(url)) rounds.stale += 1
  }

  async function timed(answer: Promise<Response>): Promise<{ status: number; text: string }> {
    const begunAt = performance.now()
    const response = await answer
    const text = await response.text()
    rounds.slowestMs = Math.max(rounds.slowestMs, performance.now() - begunAt)
    return { status: response.status, text }
  }
}

/** People who announce there, as many as are asked for. */
export function postersOf({ announces }: Doors, count: number): Promise<Poster[]> {
  return Promise.all(Array.from({ length: count }, () => signUpPoster(announces)))
}
