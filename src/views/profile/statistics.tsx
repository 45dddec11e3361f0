import { Html } from '@elysiajs/html'
import { daysInOverview, maxTargetCount, type Overview } from '../../domain/overview.ts'
import { deploymentsBetween, medianGap, streakOf } from '../../domain/statistics.ts'
import { dayOf, durationInWords } from '../../domain/time.ts'
import { counted, inDigits } from '../parts/counted.ts'

export function Statistics({ overview }: { overview: Overview }): JSX.Element {
  return (
    <dl class="statistics">
      {factsOf(overview).map(([label, value, definition]) => (
        <div title={definition}>
          <dt>{label}</dt>
          <dd safe>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function factsOf({ days, recent, targetCount, now }: Overview) {
  const today = dayOf(now)
  return [
    [
      'deployments in 30 days',
      inDigits(deploymentsBetween(days, today - 29, today)),
      'Today and the 29 days before, in UTC',
    ],
    ['median gap', gapInWords(medianGap(recent)), 'Between one of the last 100 deployments and the next'],
    [
      'current streak',
      streakInWords(streakOf(days, today)),
      'Days in a row with a deployment, up to today or yesterday, in UTC',
    ],
    [
      targetCount === 1 ? 'target' : 'targets',
      targetsInWords(targetCount),
      'Repositories and hosts that posted links point at',
    ],
  ] as const
}

function gapInWords(gap: number | null): string {
  return gap === null ? 'none yet' : (durationInWords(gap) ?? 'under a minute')
}

function streakInWords(streak: number): string {
  return streak < daysInOverview ? counted(streak, 'day') : 'over a year'
}

function targetsInWords(count: number): string {
  return count < maxTargetCount ? inDigits(count) : `${inDigits(maxTargetCount)}+`
}
