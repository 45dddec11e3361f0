import { Html } from '@elysiajs/html'
import { Panel } from '../parts/panel.tsx'
import { Instant } from '../parts/time-element.tsx'
import { Layout } from './layout.tsx'
import type { PageProps } from './site.ts'

/** Why the service is unavailable: the database does not answer, is being updated, or is damaged. Null if all works. */
type Outage = keyof typeof states | null

const states = { database: 'Not reachable', migrations: 'Being updated', damage: 'Damaged' } as const

type Props = PageProps & { outage: Outage; since: Date; version: string }

/** Whether the service works, for people. Programs ask /readyz. */
export function StatusPage({ site, viewer, outage, since, version }: Props): JSX.Element {
  const isUp = outage === null
  const state = isUp ? 'Working' : 'Unavailable'
  const database = isUp ? 'Working' : states[outage]
  return (
    <Layout site={site} viewer={viewer} title="Status" canonical="/status">
      <h1>{isUp ? 'Everything works' : 'Shipfeed is not available at the moment'}</h1>
      <Panel id="status" title="Now">
        <dl class="service-state">
          <Row name="Feed" state={state} isUp={isUp} />
          <Row name="Badges" state={state} isUp={isUp} />
          <Row name="Database" state={database} isUp={isUp} />
        </dl>
      </Panel>
      <p class="hint since-start">
        Running since <Instant instant={since} />, <span safe>{`version ${version}`}</span>. For monitoring:{' '}
        <a href="/readyz">/readyz</a>.
      </p>
    </Layout>
  )
}

function Row({ name, state, isUp }: { name: string; state: string; isUp: boolean }): JSX.Element {
  return (
    <div>
      <dt safe>{name}</dt>
      <dd>
        <span class={isUp ? 'dot fresh' : 'dot stale'} aria-hidden="true" />
        <span safe>{state}</span>
      </dd>
    </div>
  )
}
