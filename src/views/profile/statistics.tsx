import { Html } from '@elysiajs/html'
import { type Frequency, frequencyOf, historyOf, leastDays } from '../../domain/frequency.ts'
import { daysInOverview, type Overview } from '../../domain/overview.ts'
import { deploymentsBetween, medianGap, streakOf } from '../../domain/statistics.ts'
import { dayOf, durationInWords } from '../../domain/time.ts'
import { counted, inDigits } from '../parts/counted.ts'
import { rateInWords, spansInWords } from './frequency.tsx'

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
  const { days, recent, now } = overview
  return [
    latestOf(overview),
    rateOf(frequencyOf(overview)),
    ['median gap', gapInWords(medianGap(recent)), 'Between one of the last 100 deployments and the next'],
    [
      'current streak',
      streakInWords(streakOf(days, dayOf(now))),
      'Days in a row with a deployment, up to today or yesterday, in UTC',
    ],
  ]
}

/** By 30 days where there are as many, else by the time since the first. */
function latestOf(overview: Overview): Fact {
  const { days, recent, now } = overview
  const today = dayOf(now)
  const span = Math.min(30, historyOf(overview))
  const count = deploymentsBetween(days, today - span + 1, today)
  if (recent.length === 1 && count === 1) return ['deployment, the first', '1', 'So far']
  const noun = count === 1 ? 'deployment' : 'deployments'
  if (span === 1) return [`${noun} today`, inDigits(count), 'In UTC']
  const definition = `Today and the ${counted(span - 1, 'day')} before, in UTC`
  return [`${noun} in ${counted(span, 'day')}`, inDigits(count), definition]
}

function rateOf(frequency: Frequency): Fact {
  if (frequency.kind !== 'measured') {
    return ['deployments a week', 'too early to tell', `A rate takes ${leastDays} days`]
  }
  return [spansInWords(frequency), rateInWords(frequency), 'One busy day makes no rhythm']
}

function gapInWords(gap: number | null): string {
  return gap === null ? 'none yet' : (durationInWords(gap) ?? 'under a minute')
}

function streakInWords(streak: number): string {
  return streak < daysInOverview ? counted(streak, 'day') : 'over a year'
}
