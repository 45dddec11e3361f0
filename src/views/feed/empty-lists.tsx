import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Category } from '../../domain/category.ts'
import type { SearchQuestion } from '../../domain/search/question.ts'
import { feedAddress } from '../page/address.ts'
import type { Site } from '../page/site.ts'
import { escaped } from '../parts/escaping-and-templates.ts'
import { curlWithForm } from '../parts/pipeline-snippets.ts'
import { Snippet } from '../parts/snippet.tsx'
import { AskedParts, nounsOf } from './search-summary.tsx'

/** For each category, a heading for its empty list, and an example message that belongs to it. */
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

/** Replaces an empty feed, and explains how to announce a deployment. */
export function EmptyFeed({ site, viewer, category }: FeedProps): JSX.Element {
  const { title, message } = lessons[category ?? 'all']
  return (
    <section class="panel stack empty">
      <h2 safe>{title}</h2>
      <p>
        <WayToToken site={site} viewer={viewer} />, store it as <code>SHIPFEED_TOKEN</code>, and announce a
        deployment at the end of your pipeline. It appears here as soon as this command returns:
      </p>
      <Snippet id="first-announcement" code={curlWithForm(site.baseUrl, { message })} />
      <p class="hint">
        {category === null ? (
          <>
            <a href="/docs">The docs</a> list every field and every answer.
          </>
        ) : (
          <>
            The first line of a message decides <a href="/docs#categories">its category</a>.{' '}
            <a href="/">See all deployments</a>
          </>
        )}
      </p>
    </section>
  )
}

function WayToToken({ site, viewer }: { site: Site; viewer: User | null }): JSX.Element {
  if (viewer !== null || !site.hasPasswords) {
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

/** Replaces an empty list on a profile and shows the next step. */
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
  return <p>A deployment appears here as soon as a pipeline announces it.</p>
}

function FirstDeployment({ site }: { site: Site }): JSX.Element {
  return (
    <>
      <p>
        Generate a token in <a href="/settings">your settings</a> and store it as <code>SHIPFEED_TOKEN</code>.
        Your first deployment appears here as soon as this command returns:
      </p>
      <Snippet id="first-deployment" code={curlWithForm(site.baseUrl)} />
      <p class="hint">
        Your statistics, your year and your projects then appear above. <a href="/docs">The docs</a> list
        every field.
      </p>
    </>
  )
}

/** Replaces a list whose filter matches nothing; `all` is the address of the unfiltered list. */
export function NothingMatches({ all }: { all: string }): JSX.Element {
  return (
    <section class="panel stack empty">
      <h2>No deployments match</h2>
      <p>
        <a href={escaped(all)}>Show all deployments</a>
      </p>
    </section>
  )
}

/** Replaces the list of a day without matching deployments; `all` is the address of the page with all days. */
export function EmptyDay({ all, isFiltered }: { all: string; isFiltered: boolean }): JSX.Element {
  return (
    <section class="panel stack empty">
      <h2>{isFiltered ? 'No deployments on this day match' : 'Nothing was deployed on this day'}</h2>
      <p>
        <a href={escaped(`${all}#list`)}>Show all days</a>
      </p>
    </section>
  )
}

/** Replaces an empty older part of a list. */
export function NothingOlder(): JSX.Element {
  return (
    <section class="panel stack empty">
      <h2>No older deployments</h2>
      <p>This is the end of the list.</p>
    </section>
  )
}

type NothingFoundProps = {
  asked: SearchQuestion
  /** Whether the user that was searched for exists. */
  isKnown: boolean
  /** Whether it is an older part of the results that is empty. */
  isOlder: boolean
  /** Whether the search covered all deployments. */
  isAll: boolean
}

/** Replaces an empty list of results: the reason and one way to continue. */
export function NothingFound({ asked, isKnown, isOlder, isAll }: NothingFoundProps): JSX.Element {
  const { username, category, ofAnyCategory } = asked
  if (!isKnown) {
    return (
      <p class="nothing-found">
        <span safe>{`There is no @${username ?? ''} here.`}</span> <a href="/">Clear</a>
      </p>
    )
  }
  return (
    <p class="nothing-found">
      <span safe>{`No ${isOlder ? 'older ' : ''}${nounsOf(category).many}`}</span>
      <AskedParts asked={asked} verb="match" />
      {isAll || isOlder ? '' : ' so far'}.{' '}
      {category === null ? (
        <a href="/">Clear</a>
      ) : (
        <a href={escaped(feedAddress({ q: ofAnyCategory, category: null }))}>Search all categories</a>
      )}
    </p>
  )
}
