import { Html } from '@elysiajs/html'
import { maxRefusedCalls, type RefusedCall } from '../../domain/refused-call.ts'
import { Panel, Row } from '../parts/panel.tsx'
import { Age } from '../parts/time-element.tsx'

type Props = { now: Date; refusals: readonly RefusedCall[] }

const hint = `The last ${maxRefusedCalls} calls that were refused, and why. When a pipeline falls silent, look here first.`

const shownAtFirst = 4

export function RefusalsPanel({ now, refusals }: Props): JSX.Element {
  return (
    <Panel id="refusals" title="Refused calls" hint={hint}>
      {refusals.length === 0 ? (
        <p class="hint">
          None so far. Calls without a token, or with an unknown one, aren’t listed, because they could be
          anyone’s.
        </p>
      ) : (
        <Refusals now={now} refusals={refusals} />
      )}
    </Panel>
  )
}

export function Refusals({ now, refusals }: Props): JSX.Element {
  return (
    <>
      <RefusalList now={now} refusals={refusals.slice(0, shownAtFirst)} />
      {refusals.length > shownAtFirst && (
        <details class="earlier">
          <summary safe>{`${refusals.length - shownAtFirst} earlier`}</summary>
          <RefusalList now={now} refusals={refusals.slice(shownAtFirst)} />
        </details>
      )}
    </>
  )
}

function RefusalList({ now, refusals }: Props): JSX.Element {
  return (
    <ol class="refusals">
      {refusals.map(({ status, reason, source, token, refusedAt }) => (
        <Row aside={<Age then={refusedAt} now={now} />}>
          <code class="refusal-status">{status}</code> <span safe>{reason}</span>
          {source !== null && (
            <span class="hint">
              {' '}
              from <code safe>{source}</code>
            </span>
          )}
          {token !== null && (
            <span class="hint">
              {' '}
              · token <bdi safe>{`“${token}”`}</bdi>
            </span>
          )}
        </Row>
      ))}
    </ol>
  )
}
