import { Html } from '@elysiajs/html'
import { ageInWords, shortAge, timestampOf } from '../../domain/time.ts'
import { clockOf, dayInWords, instantInWords } from './dates.ts'
import { template } from './markup.ts'

/** "3 hours ago", with the exact time on hover; ages.js keeps it current on a page with a list. */
export function Age({ then, now }: { then: Date; now: Date }): JSX.Element {
  return timeOf('age', then, ageInWords(then, now))
}

/** "3 h ago", which phones shorten to "3 h"; otherwise like `Age`. */
export function ShortAge({ instant, now }: { instant: Date; now: Date }): JSX.Element {
  return timeOf('age short', instant, shortAge(instant, now).replace(' ago', ago))
}

const ago = String(<span> ago</span>)

/** "14:03", the time of a day in UTC, with the exact time on hover. */
export function Clock({ instant }: { instant: Date }): JSX.Element {
  return timeOf('clock', instant, clockOf(instant))
}

function timeOf(kind: string, instant: Date, text: JSX.Element): JSX.Element {
  return time({ kind, timestamp: timestampOf(instant), words: instantInWords(instant) }, { text })
}

const time = template<'kind' | 'timestamp' | 'words', 'text'>(({ kind, timestamp, words }, { text }) => (
  <time class={kind} datetime={timestamp} title={words}>
    {text}
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
