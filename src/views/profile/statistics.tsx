import { Html } from '@elysiajs/html'
import {
  deploymentsBetween,
  type Frequency,
  frequencyOf,
  historyInDays,
  medianGap,
  minDays,
} from '../../domain/statistics/frequency.ts'
import { maxRecent, type Overview } from '../../domain/statistics/overview.ts'
import { streakOf } from '../../domain/statistics/streak.ts'
import { durationInWords, utcDayOf } from '../../domain/time.ts'
import { counted, inDigits } from '../parts/numbers.ts'

type Fact = readonly [label: string, value: string, definition: string]

/** The numbers of a profile or a project, which two places of the page show. */
export type Numbers = { readonly facts: readonly Fact[]; readonly frequency: Frequency }

export function Statistics({ facts }: Pick<Numbers, 'facts'>): JSX.Element {
  return (
    <dl class="statistics">
      {facts.map(([label, value, definition]) => (
        <div title={definition}>
          <dt safe>{label}</dt>
          <dd safe>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function numbersOf(overview: Overview): Numbers {
  const { days, firstAnnouncedDay, recent, now } = overview
  const frequency = frequencyOf(overview)
  const gap = medianGap(recent)
  const streak = streakOf(days, firstAnnouncedDay, utcDayOf(now))
  const facts: readonly Fact[] = [
    latestOf(overview),
    rateOf(frequency),
    [
      'median gap',
      gap === null ? '–' : (durationInWords(gap) ?? 'under a minute'),
      'The median time between two deployments, among the last 100: short if they come in bursts',
    ],
    [
      'current streak',
      Number.isFinite(streak) ? counted(streak, 'day') : 'over a year',
      'Days in a row with a deployment announced here, in UTC. Today and weekends may be without one',
    ],
  ]
  return { facts, frequency }
}

/** The number of deployments in 30 days, or in the days since the first deployment if these are fewer. */
function latestOf(overview: Overview): Fact {
  const { days, recent, now } = overview
  const today = utcDayOf(now)
  const span = Math.min(30, historyInDays(overview))
  const count = deploymentsBetween(days, today - span + 1, today)
  if (recent.length === 1 && count === 1) return ['deployment so far', '1', 'The first']
  const noun = count === 1 ? 'deployment' : 'deployments'
  if (span === 1) return [`${noun} today`, inDigits(count), 'In UTC']
  const definition = `Today and the ${counted(span - 1, 'day')} before, in UTC`
  return [`${noun} in ${counted(span, 'day')}`, inDigits(count), definition]
}

function rateOf(frequency: Frequency): Fact {
  if (frequency.kind !== 'measured') {
    return ['deployments a week', 'too early to tell', `A rate needs ${minDays} days`]
  }
  const definition =
    frequency.spans > 1 ? 'The median, so one busy day hardly changes it' : 'Up to today, in UTC'
  const { median, span, spans } = frequency
  if (spans === 1) return [`deployments in ${span}`, countInWords(median), definition]
  return [
    `median of ${spans} ${span === 'week' ? 'weeks' : `periods of ${span}`}`,
    rateInWords(frequency),
    definition,
  ]
}

/** "8 a week", "1.5 in four weeks", "none in six months". */
function rateInWords({ median, span }: Extract<Frequency, { kind: 'measured' }>): string {
  return span === 'week' ? `${countInWords(median)} a week` : `${countInWords(median)} in ${span}`
}

function countInWords(count: number): string {
  return count === 0 ? 'none' : inDigits(count)
}

/** The note below the year: what each number counts, and DORA's word for the frequency if one fits. */
export function HowCounted({
  facts,
  frequency,
  hasRollbacks,
}: Numbers & { hasRollbacks: boolean }): JSX.Element {
  if (frequency.kind === 'first') return ''
  return (
    <details class="fold" id="how-counted">
      <summary>How is this counted?</summary>
      <dl class="words">
        {facts.map(([label, , definition]) => (
          <>
            <dt safe>{label}</dt>
            <dd safe>{definition}</dd>
          </>
        ))}
        {hasRollbacks && (
          <>
            <dt>rollbacks</dt>
            <dd>{`Those among the latest ${maxRecent} deployments`}</dd>
          </>
        )}
      </dl>
      {frequency.kind === 'measured' && frequency.answer !== null && (
        <p>
          <span safe>{`${rateInWords(frequency)} is ${frequency.answer.meaning}, which `}</span>
          <a href="https://dora.dev/guides/dora-metrics/">DORA</a>
          <span safe>{`, a research programme on software delivery, calls “${frequency.answer.word}”.`}</span>
        </p>
      )}
    </details>
  )
}
