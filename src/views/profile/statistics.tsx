import { Html } from '@elysiajs/html'
import {
  deploymentsBetween,
  doraAnswers,
  type Frequency,
  frequencyOf,
  historyInDays,
  leastDays,
  medianGap,
  streakOf,
} from '../../domain/statistics/frequency.ts'
import { daysInOverview, type Overview } from '../../domain/statistics/overview.ts'
import { durationInWords, utcDayOf } from '../../domain/time.ts'
import { counted, inDigits } from '../parts/text.tsx'

export function Statistics({ overview }: { overview: Overview }): JSX.Element {
  return (
    <dl class="statistics">
      {factsOf(overview).map(([label, value, definition]) => (
        <div title={definition}>
          <dt safe>{label}</dt>
          <dd safe>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type Fact = readonly [label: string, value: string, definition: string]

function factsOf(overview: Overview): readonly Fact[] {
  const { days, firstAnnouncedDay, recent, now } = overview
  return [
    latestOf(overview),
    rateOf(frequencyOf(overview)),
    ['median gap', gapInWords(medianGap(recent)), 'Between consecutive deployments, of the last 100'],
    [
      'current streak',
      streakInWords(streakOf(days, firstAnnouncedDay, utcDayOf(now))),
      'Days in a row with a deployment announced here, up to today or yesterday, in UTC',
    ],
  ]
}

/** The average over 30 days, or over the time since the first deployment if that is shorter. */
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
    return ['deployments a week', 'too early to tell', `A rate needs ${leastDays} days`]
  }
  return [spansInWords(frequency), rateInWords(frequency), 'So one busy day doesn’t count for much']
}

function gapInWords(gap: number | null): string {
  return gap === null ? '–' : (durationInWords(gap) ?? 'under a minute')
}

function streakInWords(streak: number): string {
  return streak < daysInOverview ? counted(streak, 'day') : 'over a year'
}

/** The note below the year: the frequency, DORA's word for it if one fits, and what the words mean. */
export function FrequencyNote({ overview }: { overview: Overview }): JSX.Element {
  const frequency = frequencyOf(overview)
  if (frequency.kind !== 'measured') return ''
  const { answer } = frequency
  return (
    <details class="fold" id="frequency">
      <summary>How is this counted?</summary>
      <p>
        <strong safe>{rateInWords(frequency)}</strong>
        <span
          safe
        >{`: ${spansInWords(frequency)}${frequency.spans > 1 ? ', so one busy day doesn’t count for much' : ''}`}</span>
        {answer !== null && <span safe>{`; “${answer.word}” in DORA’s words`}</span>}.
      </p>
      {explained}
    </details>
  )
}

/** Rendered once, because it is the same on every profile. */
const explained: JSX.Element = (
  <>
    <p>
      The words come from <a href="https://dora.dev/guides/dora-metrics/">DORA</a>, a research programme on
      software delivery, and are shown if they fit the number.
    </p>
    <dl class="words">
      {doraAnswers.map(({ word, meaning }) => (
        <>
          <dt safe>{word}</dt>
          <dd safe>{meaning}</dd>
        </>
      ))}
    </dl>
  </>
)

type Measured = Pick<Extract<Frequency, { kind: 'measured' }>, 'median' | 'span' | 'spans'>

/** "8 a week", "1.5 in four weeks", "none in six months". */
function rateInWords({ median, span }: Measured): string {
  const count = median === 0 ? 'none' : inDigits(median)
  return span === 'week' ? `${count} a week` : `${count} in ${span}`
}

/** "median of 12 weeks"; a single span is called the last one. */
function spansInWords({ span, spans }: Measured): string {
  if (spans === 1) return `last ${span}`
  return span === 'week' ? `median of ${spans} weeks` : `median of ${spans} periods of ${span}`
}
