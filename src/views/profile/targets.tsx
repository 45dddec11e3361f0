import { Html } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import { freshnessOf } from '../../domain/freshness.ts'
import type { DeployedTarget, Overview } from '../../domain/overview.ts'
import { profileAddress } from '../page/address.ts'
import { Panel } from '../parts/panel.tsx'
import { prepared } from '../parts/prepared.ts'
import { readableTarget } from '../parts/readable-address.ts'
import { Age } from '../parts/time.tsx'

const shownAtOnce = 6

type Props = { overview: Overview; username: string; category: Category | null; active: string | null }

/** What a user deploys to, the latest first; each filters the list below. */
export function Targets(props: Props): JSX.Element {
  const { targets } = props.overview
  const more = targets.slice(shownAtOnce)
  return (
    <Panel id="targets" title="Targets" hint="Taken from the posted links">
      {targets.length === 0 && (
        <p>
          Send a <code>url</code> with a deployment, and what it points at is listed here, each with its own
          freshness.
        </p>
      )}
      <TargetList {...props} targets={targets.slice(0, shownAtOnce)} />
      {more.length > 0 && (
        <details class="fold" open={more.some(({ target }) => target === props.active)}>
          <summary safe>{`${more.length} more`}</summary>
          <TargetList {...props} targets={more} />
        </details>
      )}
    </Panel>
  )
}

type ListProps = Props & { targets: readonly DeployedTarget[] }

function TargetList({ targets, overview: { now }, username, category, active }: ListProps): JSX.Element {
  return (
    <ul class="targets">
      {targets.map(({ target, deployedAt }) => {
        const freshness = freshnessOf(deployedAt, now)
        const texts = {
          ...{ freshness, state: freshness.toLowerCase(), name: readableTarget(target) },
          address: `${profileAddress(username, { target, category })}#list`,
        }
        const draw = target === active ? activeItem : item
        return draw(texts, { age: <Age then={deployedAt} now={now} /> })
      })}
    </ul>
  )
}

type Text = 'freshness' | 'state' | 'address' | 'name'

const drawn = (current: 'true' | undefined) =>
  prepared<Text, 'age'>(({ freshness, state, address, name }, { age }) => (
    <li>
      <span class={`dot ${state}`} role="img" aria-label={freshness} title={freshness} />
      <a class="quiet" href={address} aria-current={current}>
        <bdi dir="ltr" safe>
          {name}
        </bdi>
      </a>
      <span class="hint">{age}</span>
    </li>
  ))
const item = drawn(undefined)
const activeItem = drawn('true')
