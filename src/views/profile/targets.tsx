import { Html } from '@elysiajs/html'
import { freshnessOf } from '../../domain/freshness.ts'
import type { DeployedTarget, Overview } from '../../domain/overview.ts'
import { projectAddress } from '../page/address.ts'
import { Panel } from '../parts/panel.tsx'
import { prepared } from '../parts/prepared.ts'
import { forgeAndName, readableTarget } from '../parts/readable-address.ts'
import { ShortAge } from '../parts/time.tsx'

/** On a phone the stylesheet folds those after the third, too. */
const shownAtOnce = 6
const shownOnPhones = 3

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
      {targets.length > shownOnPhones && (
        <details class={more.length > 0 ? 'fold' : 'fold on-narrow'}>
          <summary safe>{`All ${targets.length}`}</summary>
          {more.length > 0 && <TargetList {...props} targets={more} />}
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
        const { forge, name } = forgeAndName(target)
        const texts = {
          ...{ freshness, state: freshness.toLowerCase() },
          ...(forge === '' ? { forge, name } : { forge: forge.slice(0, -1), name: `/${name}` }),
          address: projectAddress(username, target),
        }
        return item(texts, { age: <ShortAge then={deployedAt} now={now} /> })
      })}
    </ul>
  )
}

type Text = 'freshness' | 'state' | 'address' | 'forge' | 'name'

const item = prepared<Text, 'age'>(({ freshness, state, address, forge, name }, { age }) => (
  <li>
    <span class={`dot ${state}`} role="img" aria-label={freshness} title={freshness} />
    <a class="quiet" href={address}>
      <bdi dir="ltr">
        <span class="forge" safe>
          {forge}
        </span>
        <span safe>{name}</span>
      </bdi>
    </a>
    <span class="hint">{age}</span>
  </li>
))
