import { Html } from '@elysiajs/html'
import { freshnessOf } from '../../domain/freshness.ts'
import type { DeployedTarget, Overview } from '../../domain/overview.ts'
import { projectAddress } from '../page/address.ts'
import { Panel } from '../parts/panel.tsx'
import { prepared } from '../parts/prepared.ts'
import { readableTarget } from '../parts/readable-address.ts'
import { Age } from '../parts/time.tsx'

const shownAtOnce = 6

type Props = {
  overview: Overview
  username: string
  /** The host whose page it is, null on a profile. */
  below: string | null
}

/** What a user deploys to, the latest first, or what of it lies below a host. */
export function Targets(props: Props): JSX.Element {
  const { below } = props
  const { targets } = props.overview
  if (below !== null && targets.length === 0) return ''
  const more = targets.slice(shownAtOnce)
  return (
    <Panel id="targets" title={below === null ? 'Targets' : `Below ${readableTarget(below)}`}>
      {targets.length === 0 && (
        <p>
          Send a <code>url</code> with a deployment, and what it points at is listed here, each with its own
          freshness.
        </p>
      )}
      <TargetList {...props} targets={targets.slice(0, shownAtOnce)} />
      {more.length > 0 && (
        <details class="fold">
          <summary safe>{`${more.length} more`}</summary>
          <TargetList {...props} targets={more} />
        </details>
      )}
    </Panel>
  )
}

type ListProps = Props & { targets: readonly DeployedTarget[] }

function TargetList({ targets, overview: { now }, username }: ListProps): JSX.Element {
  return (
    <ul class="targets">
      {targets.map(({ target, deployedAt }) => {
        const freshness = freshnessOf(deployedAt, now)
        const texts = {
          ...{ freshness, state: freshness.toLowerCase(), name: readableTarget(target) },
          address: projectAddress(username, target),
        }
        return item(texts, { age: <Age then={deployedAt} now={now} /> })
      })}
    </ul>
  )
}

type Text = 'freshness' | 'state' | 'address' | 'name'

const item = prepared<Text, 'age'>(({ freshness, state, address, name }, { age }) => (
  <li>
    <span class={`dot ${state}`} role="img" aria-label={freshness} title={freshness} />
    <a class="quiet" href={address}>
      <bdi dir="ltr" safe>
        {name}
      </bdi>
    </a>
    <span class="hint">{age}</span>
  </li>
))
