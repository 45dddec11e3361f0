import { Html } from '@elysiajs/html'
import { Panel } from '../parts/panel.tsx'
import { Age } from '../parts/time.tsx'

export type Refusal = {
  readonly status: number
  readonly reason: string
  /** Which call it was, null if that is not known. */
  readonly source: string | null
  readonly refusedAt: Date
}

type Props = { now: Date; refusals: readonly Refusal[] }

const hint =
  'The last 20 calls with your token that recorded nothing, with their key or the host of their link. When a pipeline falls silent, look here first.'

/** How many are shown at once; the others unfold. */
const atFirst = 4

export function RefusalsPanel({ now, refusals }: Props): JSX.Element {
  return (
    <Panel id="refusals" title="Refused calls" hint={hint}>
      {refusals.length === 0 ? (
        <p class="hint">None so far. A call without a valid token is nobody’s, and is not listed.</p>
      ) : (
        <Refusals now={now} refusals={refusals} />
      )}
    </Panel>
  )
}

export function Refusals({ now, refusals }: Props): JSX.Element {
  return (
    <>
      <RefusalList now={now} refusals={refusals.slice(0, atFirst)} />
      {refusals.length > atFirst && (
        <details class="earlier">
          <summary safe>{`${refusals.length - atFirst} earlier`}</summary>
          <RefusalList now={now} refusals={refusals.slice(atFirst)} />
        </details>
      )}
    </>
  )
}

function RefusalList({ now, refusals }: Props): JSX.Element {
  return (
    <ol class="refusals">
      {refusals.map(({ status, reason, source, refusedAt }) => (
        <li class="row">
          <span>
            <code class="refusal-status">{status}</code> <span safe>{reason}</span>
            {source !== null && (
              <span class="hint">
                {' '}
                from <code safe>{source}</code>
              </span>
            )}
          </span>
          <span class="hint">
            <Age then={refusedAt} now={now} />
          </span>
        </li>
      ))}
    </ol>
  )
}
