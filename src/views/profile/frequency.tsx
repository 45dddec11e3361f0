import { Html } from '@elysiajs/html'
import { answers, type Frequency, frequencyOf, leastDays } from '../../domain/frequency.ts'
import type { Overview } from '../../domain/overview.ts'
import { counted, inDigits } from '../parts/counted.ts'

/** How often somebody deploys: the measured number, DORA's word if one fits, and the basis of both. */
export function FrequencyNote({ overview }: { overview: Overview }): JSX.Element {
  const frequency = frequencyOf(overview)
  if (frequency.kind !== 'measured') {
    return (
      <p class="fold" id="frequency" safe>
        {earlyWords(frequency)}
      </p>
    )
  }
  const { median, span, spans, answer } = frequency
  return (
    <details class="fold" id="frequency">
      <summary>
        Deployment frequency: <strong safe>{rateInWords(median, span)}</strong>
        {answer !== null && (
          <span class="hint" safe>
            {`, “${answer.word}” in DORA’s words`}
          </span>
        )}
      </summary>
      <p safe>{basisOf(span, spans)}</p>
      {explained}
    </details>
  )
}

/** Drawn once: it is the same for everybody. */
const explained: JSX.Element = (
  <>
    <p>
      The words are those of <a href="https://dora.dev/guides/dora-metrics/">DORA</a>, the research on how
      software is delivered, and are said where they fit the number.
    </p>
    <dl class="words">
      {answers.map(({ word, meaning }) => (
        <>
          <dt safe>{word}</dt>
          <dd safe>{meaning}</dd>
        </>
      ))}
    </dl>
  </>
)

function earlyWords(frequency: Exclude<Frequency, { kind: 'measured' }>): string {
  if (frequency.kind === 'first') return 'This is the first deployment.'
  const { deployments, days } = frequency
  return `${counted(deployments, 'deployment')} in ${counted(days, 'day')}: too early to tell the frequency, which takes ${leastDays} days.`
}

/** "8 a week", "1.5 in four weeks", "none in six months". */
function rateInWords(median: number, span: string): string {
  const count = median === 0 ? 'none' : inDigits(median)
  return span === 'week' ? `${count} a week` : `${count} in ${span}`
}

function basisOf(span: string, spans: number): string {
  if (spans === 1) return `So many were deployed in the last ${span}.`
  return `The median of the last ${spans} ${span === 'week' ? 'weeks' : `spans of ${span}`}: one busy day makes no rhythm.`
}
