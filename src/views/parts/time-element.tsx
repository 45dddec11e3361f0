import { Html } from '@elysiajs/html'
import { ageInWords, shortAge, timestampOf } from '../../domain/time.ts'
import { clockOf, dayInWords, instantInWords } from './calendar.ts'
import { template } from './template.ts'

/** "3 hours ago", with the exact time on hover; ages.js keeps it current on a page with a list. */
export function Age({ then, now }: { then: Date; now: Date }): JSX.Element {
  return time({ at: timestampOf(then), exact: instantInWords(then), age: ageInWords(then, now) })
}

const time = template<'at' | 'exact' | 'age'>(({ at, exact, age }) => (
  <time class="age" datetime={at} title={exact} safe>
    {age}
  </time>
))

/** "3 h ago", which phones shorten to "3 h"; otherwise like `Age`. */
export function ShortAge({ then, now }: { then: Date; now: Date }): JSX.Element {
  const age = shortAge(then, now).replace(' ago', ago)
  return shortTime({ at: timestampOf(then), exact: instantInWords(then) }, { age })
}

const ago = String(<span class="on-wide"> ago</span>)

const shortTime = template<'at' | 'exact', 'age'>(({ at, exact }, { age }) => (
  <time class="age short" datetime={at} title={exact}>
    {age}
  </time>
))

/** "14:03", the time of a day in UTC, with the exact time on hover. */
export function Clock({ instant }: { instant: Date }): JSX.Element {
  const clock = clockOf(instant).slice(0, '14:03'.length)
  return clockTime({ at: timestampOf(instant), exact: instantInWords(instant), clock })
}

const clockTime = template<'at' | 'exact' | 'clock'>(({ at, exact, clock }) => (
  <time class="clock" datetime={at} title={exact} safe>
    {clock}
  </time>
))

/** "12 March 2026", with the exact time on hover; local-time.js shows both in the reader's zone. */
export function Day({ instant }: { instant: Date }): JSX.Element {
  return (
    <time class="calendar-day" datetime={timestampOf(instant)} title={instantInWords(instant)} safe>
      {dayInWords(instant)}
    </time>
  )
}

/** "12 March 2026, 14:03 UTC"; local-time.js shows it in the reader's zone. */
export function Instant({ instant }: { instant: Date }): JSX.Element {
  return (
    <time class="instant" datetime={timestampOf(instant)} safe>
      {instantInWords(instant)}
    </time>
  )
}
