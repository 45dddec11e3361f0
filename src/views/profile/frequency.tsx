import { Html } from '@elysiajs/html'
import { answers, type Frequency, frequencyOf } from '../../domain/frequency.ts'
import type { Overview } from '../../domain/overview.ts'
import { inDigits } from '../parts/counted.ts'

/** Below the year: how its rhythm compares, in the words of DORA where one fits, and what these mean. */
export function FrequencyNote({ overview }: { overview: Overview }): JSX.Element {
  const frequency = frequencyOf(overview)
  if (frequency.kind !== 'measured') return ''
  const { answer } = frequency
  return (
    <details class="fold" id="frequency">
      <summary>
        <strong safe>{rateInWords(frequency)}</strong>
        {answer !== null && (
          <span class="hint" safe>
            {`, “${answer.word}” in DORA’s words`}
          </span>
        )}
      </summary>
      <p safe>{`The ${spansInWords(frequency)}: one busy day makes no rhythm.`}</p>
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

type Measured = Pick<Extract<Frequency, { kind: 'measured' }>, 'median' | 'span' | 'spans'>

/** "8 a week", "1.5 in four weeks", "none in six months". */
export function rateInWords({ median, span }: Measured): string {
  const count = median === 0 ? 'none' : inDigits(median)
  return span === 'week' ? `${count} a week` : `${count} in ${span}`
}

/** "median of 12 weeks"; of one span, that it is the last. */
export function spansInWords({ span, spans }: Measured): string {
  if (spans === 1) return `last ${span}`
  return span === 'week' ? `median of ${spans} weeks` : `median of ${spans} times ${span}`
}
