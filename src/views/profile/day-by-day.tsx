import { Html } from '@elysiajs/html'
import type { DeploymentDay } from '../../domain/overview.ts'
import { startOf } from '../../domain/time.ts'
import { monthInWords } from '../parts/calendar.ts'
import { counted, inDigits } from '../parts/counted.ts'

type Month = { readonly name: string; readonly days: DeploymentDay[] }

/** The heat map in words, for readers who cannot hover its days: the last month first. */
export function DayByDay({ days }: { days: readonly DeploymentDay[] }): JSX.Element {
  return (
    <details class="fold">
      <summary>Day by day, in words</summary>
      <dl class="by-month">
        {monthsOf(days).map((month) => (
          <div>
            <dt>
              <strong safe>{month.name}</strong>
              <span safe>{counted(sumOf(month), 'deployment')}</span>
            </dt>
            <dd safe>{month.days.map(dayInMonth).join(', ')}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function monthsOf(days: readonly DeploymentDay[]): readonly Month[] {
  const months: Month[] = []
  for (const day of days) {
    const name = monthInWords(startOf(day.day))
    const last = months.at(-1)
    if (last?.name === name) last.days.push(day)
    else months.push({ name, days: [day] })
  }
  return months.toReversed()
}

function sumOf({ days }: Month): number {
  return days.reduce((sum, { deployments }) => sum + deployments, 0)
}

/** "2 on the 14th". */
function dayInMonth({ day, deployments }: DeploymentDay): string {
  return `${inDigits(deployments)} on the ${ordinal(startOf(day).getUTCDate())}`
}

const endings: Readonly<Record<number, string>> = {
  1: 'st',
  2: 'nd',
  3: 'rd',
  21: 'st',
  22: 'nd',
  23: 'rd',
  31: 'st',
}

function ordinal(date: number): string {
  return `${date}${endings[date] ?? 'th'}`
}
