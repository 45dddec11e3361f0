import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Category } from '../../domain/category.ts'
import type { Site } from '../page/site.ts'
import { curlWithForm } from '../parts/announce-examples.ts'
import { attribute } from '../parts/attribute.ts'
import { Snippet } from '../parts/snippet.tsx'

/** By category: what is missing, and a message that would fill it. */
const lessons: Readonly<Record<Category | 'all', { title: string; message: string }>> = {
  all: { title: 'No deployments here yet', message: '✨ Saved searches' },
  feature: { title: 'No features yet', message: '✨ Saved searches' },
  bug_fix: { title: 'No bug fixes yet', message: 'fix: login redirect loop' },
  performance_improvement: {
    title: 'No performance improvements yet',
    message: '⚡ Cold start is 40% faster',
  },
  styling_change: { title: 'No styling changes yet', message: '💄 Calmer buttons' },
}

type FeedProps = { site: Site; viewer: User | null; category: Category | null }

/** In place of an empty feed: how to fill it. */
export function EmptyFeed({ site, viewer, category }: FeedProps): JSX.Element {
  const { title, message } = lessons[category ?? 'all']
  return (
    <section class="panel stack empty">
      <h2 safe>{title}</h2>
      <p>
        <WayToToken site={site} viewer={viewer} />, keep it as <code>SHIPFEED_TOKEN</code>, and announce one
        at the end of your pipeline. It is here the moment that this command returns:
      </p>
      <Snippet id="first-announcement" code={curlWithForm(site.baseUrl, { message })} />
      <p class="hint">
        {category === null ? (
          <>
            <a href="/docs">The docs</a> show every field and every answer.
          </>
        ) : (
          <>
            The message’s first line tells its category: <a href="/docs#categories">how it is read</a>. Or{' '}
            <a href="/">see all deployments</a>.
          </>
        )}
      </p>
    </section>
  )
}

function WayToToken({ site, viewer }: { site: Site; viewer: User | null }): JSX.Element {
  if (viewer !== null) {
    return (
      <>
        Generate an API token in <a href="/settings">your settings</a>
      </>
    )
  }
  return (
    <>
      {site.registrationOpen ? <a href="/sign-up">Create an account</a> : <a href="/sign-in">Sign in</a>} to
      generate an API token
    </>
  )
}

type ProfileProps = { site: Site; user: User; viewer: User | null }

/** In place of an empty list on a profile: where to go from here. */
export function EmptyProfile(props: ProfileProps): JSX.Element {
  return (
    <section class="panel stack empty">
      <h2>No deployments yet</h2>
      <WayOn {...props} />
    </section>
  )
}

function WayOn({ site, user, viewer }: ProfileProps): JSX.Element {
  if (viewer?.id === user.id) return <FirstDeployment site={site} />
  return <p>They appear here as soon as a pipeline announces one.</p>
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

/** In place of a list with a filter that nothing matches; `all` is the address of the list without it. */
export function NothingMatches({ all }: { all: string }): JSX.Element {
  return (
    <section class="panel stack empty">
      <h2>No deployments match</h2>
      <p>
        <a href={attribute(all)}>Show all deployments</a>
      </p>
    </section>
  )
}

/** In place of the list of a day that saw none, or none of a filter; `all` is the address of the page with all days. */
export function EmptyDay({ all, isFiltered }: { all: string; isFiltered: boolean }): JSX.Element {
  return (
    <section class="panel stack empty">
      <h2>{isFiltered ? 'No deployments of this day match' : 'Nothing was deployed on this day'}</h2>
      <p>
        <a href={attribute(`${all}#list`)}>Show all days</a>
      </p>
    </section>
  )
}

/** In place of an older part of a list with nothing in it. */
export function NothingOlder(): JSX.Element {
  return (
    <section class="panel stack empty">
      <h2>Nothing is older than this</h2>
      <p>Every deployment of this list was announced later.</p>
    </section>
  )
}
