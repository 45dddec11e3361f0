import { day, hour } from '../domain/time.ts'

type Deployed = readonly [project: string, age: number]
type Character = { readonly username: string; readonly name: string; readonly deployed: readonly Deployed[] }

/** One user for each freshness, one of them with a whole year of deployments. */
export const cast: readonly Character[] = [
  { username: 'ada', name: 'Ada Lovelace', deployed: busyYear() },
  {
    username: 'grace',
    name: 'Grace Hopper',
    deployed: to('github.com/navy/compiler', [20 * day, 3 * day, 8 * hour]),
  },
  { username: 'linus', name: 'Linus', deployed: to('git.example.org/kernel', [50 * day, 6 * day, 2 * day]) },
  { username: 'mshaw', name: 'Mary Shaw', deployed: to('app.example.com/changelog', [90 * day, 12 * day]) },
  {
    username: 'dorothy',
    name: 'Dorothy Vaughan',
    deployed: to('github.com/west/area', [200 * day, 45 * day]),
  },
  { username: 'newcomer', name: 'New Comer', deployed: [] },
]

export const messages = [
  '✨ Saved searches\n\nYou can now pin a search and get it back on every device.\nWorks offline too.',
  'Fix login redirect loop after the session expires',
  '⚡ Cold start is 40% faster: the index is mapped, not read',
  '💄 New empty states and calmer buttons',
  'Team invitations 🎉',
  "fix: dates in the export use the reader's time zone",
  'chore: renew the certificates',
]

/** None to five a day, few at weekends, and a streak at the end. Random, but the same each time. */
function busyYear(): Deployed[] {
  const perDay = Array.from({ length: 360 }, (_, ago) => (ago < 9 ? Math.max(1, countAt(ago)) : countAt(ago)))
  return perDay.flatMap((count, ago) =>
    Array.from({ length: count }, (_, n): Deployed => [projectAt(ago, n), ago * day + (n + 1) * 2 * hour]),
  )
}

function countAt(ago: number): number {
  const chance = Bun.hash.crc32(`${ago} days ago`) % 10
  return ago % 7 > 4 ? Math.max(0, chance - 8) : Math.max(0, chance - 4)
}

function projectAt(ago: number, n: number): string {
  if (ago > 11 && n === 1) return 'github.com/ada/notes'
  return ago > 2 && n === 2 ? 'app.example.com/changelog' : 'github.com/ada/engine'
}

function to(project: string, ages: readonly number[]): Deployed[] {
  return ages.map((age) => [project, age])
}
