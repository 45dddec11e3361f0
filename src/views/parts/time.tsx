import { Html } from '@elysiajs/html'
import { ageInWords, timestampOf } from '../../domain/time.ts'
import { dayInWords, instantInWords } from './calendar.ts'

/** "3 hours ago", with the exact time on hover; app.js keeps it current in a list. */
export function Age({ then, now }: { then: Date; now: Date }): JSX.Element {
  return (
    <time class="age" datetime={timestampOf(then)} title={instantInWords(then)} safe>
      {ageInWords(then, now)}
    </time>
  )
}

/** "12 March 2026", with the exact time on hover. */
export function Day({ instant }: { instant: Date }): JSX.Element {
  return (
    <time datetime={timestampOf(instant)} title={instantInWords(instant)} safe>
      {dayInWords(instant)}
    </time>
  )
}

/** "12 March 2026, 14:03:22 UTC". */
export function Instant({ instant }: { instant: Date }): JSX.Element {
  return (
    <time datetime={timestampOf(instant)} safe>
      {instantInWords(instant)}
    </time>
  )
}
