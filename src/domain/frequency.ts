import type { Overview } from './overview.ts'
import { deploymentsBetween, median } from './statistics.ts'
import { dayOf } from './time.ts'

/** A span to count deployments in; `count` of them are looked at, the last one ending today. */
type Span = { readonly name: string; readonly days: number; readonly count: number }

const week: Span = { name: 'week', days: 7, count: 12 }
const fourWeeks: Span = { name: 'four weeks', days: 28, count: 6 }
const halfYear: Span = { name: 'six months', days: 182, count: 1 }

/** With a history of fewer days, it is too early to tell. */
export const leastDays = 28

/**
 * One of DORA's answers, for medians from `atLeast` to `atMost` in a span. If none fits, no word is used.
 */
type Answer = {
  readonly word: string
  readonly meaning: string
  readonly span: Span
  readonly atLeast: number
  readonly atMost: number
}

/** The answers to choose from in DORA's survey, the most frequent first. */
export const answers: readonly Answer[] = [
  {
    word: 'On demand',
    meaning: 'several times a day',
    span: week,
    atLeast: 14,
    atMost: Number.POSITIVE_INFINITY,
  },
  { word: 'Daily', meaning: 'between once a day and once a week', span: week, atLeast: 1, atMost: 7 },
  { word: 'Weekly', meaning: 'between once a week and once a month', span: fourWeeks, atLeast: 1, atMost: 4 },
  {
    word: 'Monthly',
    meaning: 'between once a month and once every six months',
    span: halfYear,
    atLeast: 1,
    atMost: 6,
  },
  { word: 'Yearly', meaning: 'less than once every six months', span: halfYear, atLeast: 0, atMost: 0 },
]

export type Frequency =
  /** One deployment or none. */
  | { readonly kind: 'first' }
  /** Too early to tell. */
  | { readonly kind: 'early'; readonly deployments: number; readonly days: number }
  | {
      readonly kind: 'measured'
      /** The median number of deployments in the last `spans` of a span, such as a week. */
      readonly median: number
      readonly span: string
      readonly spans: number
      /** DORA's word for it, null if the number is between two of them. */
      readonly answer: Answer | null
    }

/**
 * How often somebody deploys, by the shortest span with a median of one or more. The median and not the sum
 * decides, because one busy day makes no rhythm.
 */
export function frequencyOf({ days, recent, now }: Pick<Overview, 'days' | 'recent' | 'now'>): Frequency {
  const today = dayOf(now)
  const history = historyOf({ days, recent, now })
  if (recent.length <= 1) return { kind: 'first' }
  if (history < leastDays) {
    return { kind: 'early', deployments: deploymentsBetween(days, today - history + 1, today), days: history }
  }
  const measured = [week, fourWeeks, halfYear]
    .filter(({ days }) => days <= history)
    .map((span) => measure(span, days, today, history))
  const found = measured.find(({ median }) => median >= 1) ?? measured.at(-1)
  if (found === undefined) throw new RangeError(`A history of ${leastDays} days holds a week`)
  return found
}

/** The days since the first deployment that is known, with its own and today. */
export function historyOf({ days, recent, now }: Pick<Overview, 'days' | 'recent' | 'now'>): number {
  const today = dayOf(now)
  return today - Math.min(today, days[0]?.day ?? today, ...recent.map(dayOf)) + 1
}

function measure(span: Span, days: Overview['days'], today: number, history: number) {
  const spans = Math.min(span.count, Math.floor(history / span.days))
  const counts = Array.from({ length: spans }, (_, index) => {
    const last = today - index * span.days
    return deploymentsBetween(days, last - span.days + 1, last)
  })
  const found = median(counts) ?? 0
  const answer =
    answers.find(({ span: of, atLeast, atMost }) => of === span && atLeast <= found && found <= atMost) ??
    null
  return { kind: 'measured', median: found, span: span.name, spans, answer } as const
}
