import { allPosters, announcementOf, users } from './data-sets/people.ts'
import { type RequestFile, requestFile } from './wrk.ts'

const styles = ['standard', 'square', 'dot']

/** Badges of all users in every style, half of them with a filter. */
export function badgeRequests(): RequestFile {
  const paths = everyUser().flatMap((name) => {
    const filter = encodeURIComponent(`github.com/${name}/p${name.length % 7}`)
    return styles.flatMap((style) => [
      `/badge/${name}.svg?style=${style}`,
      `/badge/${name}.svg?style=${style}&url=${filter}`,
    ])
  })
  return requestFile(
    'badges',
    paths.map((path) => ({ path })),
  )
}

/** The profiles of all users. */
export function profileRequests(): RequestFile {
  return requestFile(
    'profiles',
    everyUser().map((name) => ({ path: `/${name}` })),
  )
}

/** The global feed. */
export function feedRequests(): RequestFile {
  return requestFile('feed', [{ path: '/' }])
}

/** An announcement of each poster. */
export function announceRequests(): RequestFile {
  const requests = allPosters().map((poster) => ({
    path: '/api',
    token: poster.token,
    body: announcementOf(poster),
  }))
  return requestFile('announcements', requests)
}

function everyUser(): string[] {
  return Array.from({ length: users }, (_, index) => `u${index + 1}`)
}
