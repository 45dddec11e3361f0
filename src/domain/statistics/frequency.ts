import { utcDayOf } from '../time.ts'
import type { DeploymentDay, Overview } from './overview.ts'

/** A length of time in which deployments are counted. The last `count` spans of it are; the latest ends today. */
type Span = { readonly name: string; readonly days: number; readonly count: number }

const week: Span = { name: 'week', days: 7, count: 12 }
const fourWeeks: Span = { name: 'four weeks', days: 28, count: 6 }
const halfYear: Span = { name: 'six months', days: 182, count: 1 }

export const minDays = 28

/** The answers in DORA's survey, each with the least and the greatest median it covers. Medians in gaps get none. */
const doraAnswers: readonly (readonly [word: string, meaning: string, Span, least: number, most: number])[] =
  [
    ['On demand', 'several times a day', week, 14, Number.POSITIVE_INFINITY],
    ['Daily', 'between once a day and once a week', week, 1, 7],
    ['Weekly', 'between once a week and once a month', fourWeeks, 1, 4],
    ['Monthly', 'between once a month and once every six months', halfYear, 1, 6],
    ['Yearly', 'less than once every six months', halfYear, 0, 0],
  ]

export type Frequency = ReturnType<typeof frequencyOf>

/** The frequency in the shortest span with a median of one or more, which one busy day hardly changes. */
export function frequencyOf({ days, recent, now }: Pick<Overview, 'days' | 'recent' | 'now'>) {
  const today = utcDayOf(now)
  const history = historyInDays({ days, recent, now })
  if (recent.length <= 1) return { kind: 'first' } as const
  if (history < minDays) {
    const deployments = deploymentsBetween(days, today - history + 1, today)
    return { kind: 'early', deployments, days: history } as const
  }
  let found = measure(week, days, today, history)
  for (const span of [fourWeeks, halfYear]) {
    if (found.median < 1 && span.days <= history) found = measure(span, days, today, history)
  }
  return found
}

/** The number of days from the first known deployment to today, both included. */
export function historyInDays({ days, recent, now }: Pick<Overview, 'days' | 'recent' | 'now'>): number {
  const today = utcDayOf(now)
  return today - Math.min(today, days[0]?.day ?? today, ...recent.map(utcDayOf)) + 1
}

/** The median number of deployments in the last spans, and DORA's word for it; null if it is between two. */
function measure(span: Span, days: Overview['days'], today: number, history: number) {
  const spans = Math.min(span.count, Math.floor(history / span.days))
  const counts = Array<number>(spans).fill(0)
  for (const { day, deployments } of days) {
    const index = Math.floor((today - day) / span.days)
    if (0 <= index && index < spans) counts[index] = (counts[index] ?? 0) + deployments
  }
  const found = median(counts) ?? 0
  const said = doraAnswers.find(([, , of, least, most]) => of === span && least <= found && found <= most)
  const answer = said === undefined ? null : { word: said[0], meaning: said[1] }
  return { kind: 'measured', median: found, span: span.name, spans, answer } as const
}

/** The median, which is halfway between the middle two of an even count; null if there are no numbers. */
export function median(numbers: readonly number[]): number | null {
  const sorted = Float64Array.from(numbers).sort()
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2
}

/** The median gap in milliseconds between these instants, the newest first; null without a gap. */
export function medianGap(instants: readonly Date[]): number | null {
  const times = instants.map(Number)
  return median(times.slice(1).map((older, index) => Math.max(0, (times[index] ?? older) - older)))
}

/** The number of deployments from one day to another, both included. */
export function deploymentsBetween(days: readonly DeploymentDay[], first: number, last: number): number {
  const between = days.filter(({ day }) => first <= day && day <= last)
  return between.reduce((sum, { deployments }) => sum + deployments, 0)
}
