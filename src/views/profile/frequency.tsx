import { Html } from '@elysiajs/html'
import { type Frequency, frequencies, frequencyOf } from '../../domain/frequency.ts'
import type { DeploymentDay } from '../../domain/overview.ts'
import { counted } from '../parts/counted.ts'

/** How often somebody deploys, in DORA's words, with their meaning and the basis of this one. */
export function FrequencyNote({
  days,
  today,
}: {
  days: readonly DeploymentDay[]
  today: number
}): JSX.Element {
  const frequency = frequencyOf(days, today)
  return (
    <details class="fold" id="frequency">
      <summary>
        Deployment frequency: <strong safe>{frequency.name}</strong>
        <span class="hint" safe>{`, ${frequency.meaning}`}</span>
      </summary>
      <p safe>{basisOf(frequency)}</p>
      <p>
        The words are those of <a href="https://dora.dev/guides/dora-metrics/">DORA</a>, the research on how
        software is delivered. The median counts, so that one busy day does not make a rhythm.
      </p>
      <dl class="words">
        {frequencies.map(({ name, meaning }) => (
          <>
            <dt safe>{name}</dt>
            <dd safe>{meaning}</dd>
          </>
        ))}
      </dl>
    </details>
  )
}

/** "The median of the last 12 weeks is 5 deployments." */
function basisOf({ period, periods, median }: Frequency): string {
  const count = counted(median, 'deployment')
  return periods === 1
    ? `The last ${period} had ${count}.`
    : `The median of the last ${periods} ${period} is ${count}.`
}
