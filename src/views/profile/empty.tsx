import { Html } from '@elysiajs/html'
import type { User } from '../../domain/user.ts'
import type { Site } from '../page/site.ts'
import { curlWithForm } from '../parts/announce-examples.ts'
import { Snippet } from '../parts/snippet.tsx'

type Props = { site: Site; user: User; viewer: User | null; filtered: boolean }

/** Stands for an empty list on a profile, and tells the way on. */
export function NothingYet({ site, user, viewer, filtered }: Props): JSX.Element {
  return (
    <section class="panel stack empty">
      <h2>{filtered ? 'No deployments match' : 'No deployments yet'}</h2>
      <WayOn site={site} user={user} viewer={viewer} filtered={filtered} />
    </section>
  )
}

function WayOn({ site, user, viewer, filtered }: Props): JSX.Element {
  if (!filtered && viewer?.id === user.id) return <FirstDeployment site={site} />
  if (!filtered) return <p>They appear here as soon as a pipeline announces one.</p>
  return (
    <p>
      <a href={`/${user.username}#list`}>Show all deployments</a>
    </p>
  )
}

function FirstDeployment({ site }: { site: Site }): JSX.Element {
  return (
    <>
      <p>
        <a href="/settings">Your settings</a> hold the token. Keep it as <code>SHIPFEED_TOKEN</code>, and your
        first deployment is here the moment that this command returns:
      </p>
      <Snippet id="first-deployment" code={curlWithForm(site.baseUrl)} />
      <p class="hint">
        Its numbers, its year and its targets appear above. <a href="/docs">The docs</a> show every field.
      </p>
    </>
  )
}
