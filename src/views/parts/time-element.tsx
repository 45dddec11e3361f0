import { Html } from '@elysiajs/html'
import { ageInWords, shortAge, timestampOf } from '../../domain/ages-and-days.ts'
import { dayInWords, instantInWords, type WrittenInstant, writtenInstant } from './dates.ts'
import { template } from './escaping-and-templates.ts'

/** "3 hours ago", with the exact time on hover; ages.js keeps it current on a page with a list. */
export function Age({ then, now }: { then: Date; now: Date }): JSX.Element {
  const { timestamp, words } = writtenInstant(then)
  return time({ timestamp, words, age: ageInWords(then, now) })
}

const time = template<'timestamp' | 'words' | 'age'>(({ timestamp, words, age }) => (
  <time class="age" datetime={timestamp} title={words} safe>
    {age}
  </time>
))

/** "3 h ago", which phones shorten to "3 h"; otherwise like `Age`. */
export function ShortAge({ instant, now }: { instant: Date; now: Date }): JSX.Element {
  const { timestamp, words } = writtenInstant(instant)
  const age = shortAge(instant, now).replace(' ago', ago)
  return shortTime({ timestamp, words }, { age })
}

const ago = String(<span> ago</span>)

const shortTime = template<'timestamp' | 'words', 'age'>(({ timestamp, words }, { age }) => (
  <time class="age short" datetime={timestamp} title={words}>
    {age}
  </time>
))

/** "14:03", the time of a day in UTC, with the exact time on hover. */
export function Clock({ instant }: { instant: Date }): JSX.Element {
  return clockTime(writtenInstant(instant))
}

const clockTime = template<keyof WrittenInstant>(({ timestamp, words, clock }) => (
  <time class="clock" datetime={timestamp} title={words} safe>
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
