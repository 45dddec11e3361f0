import { allPosters, announcementOf } from './data-sets/people.ts'
import { type RequestFile, requestFile } from './wrk.ts'

const styles = ['standard', 'square', 'dot']

/** Badges of users in every style, half of them with a filter. */
export function badgeRequests(users: number, max = 10_000): RequestFile {
  const paths = someOf(users, max).flatMap((name) => {
    const filter = encodeURIComponent(`github.com/${name}/p${name.length % 7}`)
    return styles.flatMap((style) => [
      `/badge/${name}.svg?style=${style}`,
      `/badge/${name}.svg?style=${style}&url=${filter}`,
    ])
  })
  return requestFile(
    `badges-${users}-${max}`,
    paths.map((path) => ({ path })),
  )
}

/** The profiles of users. */
export function profileRequests(users: number, max = 10_000): RequestFile {
  return requestFile(
    `profiles-${users}-${max}`,
    someOf(users, max).map((name) => ({ path: `/${name}` })),
  )
}

/** The page of a project of users. */
export function projectRequests(users: number, max = 10_000): RequestFile {
  return requestFile(
    `projects-${users}-${max}`,
    someOf(users, max).map((name) => ({ path: `/${name}/github.com/${name}/p${name.length % 7}` })),
  )
}

/** The global feed. */
export function feedRequests(): RequestFile {
  return requestFile('feed', [{ path: '/' }])
}

/** Announcements of all posters, each with a link of its own. */
export function announceRequests(users: number): RequestFile {
  const requests = allPosters(users).map((poster) => ({
    path: '/api',
    token: poster.token,
    body: announcementOf(poster),
  }))
  return requestFile(`announcements-${users}`, requests)
}

/** At most `max` of all users, spread evenly over them. */
function someOf(users: number, max: number): string[] {
  const length = Math.min(users, max)
  return Array.from({ length }, (_, index) => `u${Math.floor((index * users) / length) + 1}`)
}
