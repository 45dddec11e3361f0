import { Elysia } from 'elysia'
import { statusWords } from '../../badge/status.ts'
import { yearReader } from '../../data/pages/years.ts'
import type { Db } from '../../database/db.ts'
import { everything } from '../../domain/target.ts'
import { utcDayOf } from '../../domain/time.ts'
import { Problem } from '../../http/problem.ts'
import { usernameIn } from '../../http/query-parameters.ts'
import { themeOf, YearImage } from '../../views/profile/year-image.tsx'
import type { RequestBelow } from '../lists/of-user.ts'
import { yearHeaders } from './headers.ts'

type Asked = Pick<RequestBelow, 'username' | 'scope' | 'query'>

/** The picture of a year, below the address of a user and of each of their projects. */
export function yearsBelow(db: Db) {
  const readYear = yearReader(db)

  return {
    async 'year.svg'({ username, scope = everything, query: { theme } }: Asked) {
      const known = usernameIn(username)
      if (known === null) throw new Problem('not_found', 'This is not a valid username.')
      const { user, days, now } = await readYear({ username: known, scope })
      // An unknown user gets a picture too, because a broken one in a README explains nothing.
      const shown = user === null ? { days: null, caption: statusWords.Unknown } : { days }
      const image = YearImage({ theme: themeOf(theme), today: utcDayOf(now), ...shown })
      return new Response(String(image), { headers: yearHeaders })
    },
  }
}

type Years = { readonly years: ReturnType<typeof yearsBelow> }

/** GET /<username>/year.svg: the picture of a user's year. */
export function year({ years }: Years) {
  return new Elysia({ name: 'year' }).get('/:username/year.svg', ({ params: { username }, query }) =>
    years['year.svg']({ username, query }),
  )
}
