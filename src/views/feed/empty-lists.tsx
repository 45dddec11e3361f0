import { Html, type PropsWithChildren } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import type { PageProps, Site } from '../page/site.ts'
import { escaped } from '../parts/markup.ts'
import { curlWithForm } from '../parts/pipeline-snippets.ts'
import { Snippet } from '../parts/snippet.tsx'

function Empty({ title, children }: PropsWithChildren<{ title: string }>): JSX.Element {
  return (
    <section class="panel stack empty">
      <h2 safe>{title}</h2>
      {children}
    </section>
  )
}

/** For each category, a heading for its empty list, and an example message that belongs to it. */
const lessons: Readonly<Record<Category | 'all', readonly [title: string, message: string]>> = {
  all: ['No deployments here yet', '✨ Saved searches'],
  feature: ['No features yet', '✨ Saved searches'],
  bug_fix: ['No bug fixes yet', 'fix: login redirect loop'],
  performance_improvement: ['No performance improvements yet', '⚡ Cold start is 40% faster'],
  styling_change: ['No styling changes yet', '💄 Calmer buttons'],
}

type FeedProps = PageProps & { category: Category | undefined }

export function EmptyFeed({ site, viewer, category }: FeedProps): JSX.Element {
  const [title, message] = lessons[category ?? 'all']
  return (
    <Empty title={title}>
      <p>
        <WayToToken site={site} viewer={viewer} />, store it as <code>SHIPFEED_TOKEN</code>, and announce a
        deployment at the end of your pipeline. It appears here as soon as this command returns:
      </p>
      <Snippet id="first-announcement" code={curlWithForm(site.baseUrl, { message })} />
      <p class="hint">
        {category === undefined ? (
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
    </Empty>
  )
}

function WayToToken({ site, viewer }: PageProps): JSX.Element {
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

export function EmptyProfile({ site, isOwn }: { site: Site; isOwn: boolean }): JSX.Element {
  return (
    <Empty title="No deployments yet">
      {isOwn ? (
        <>
          <p>
            Generate a token in <a href="/settings">your settings</a> and store it as{' '}
            <code>SHIPFEED_TOKEN</code>. Your first deployment appears here as soon as this command returns:
          </p>
          <Snippet id="first-deployment" code={curlWithForm(site.baseUrl)} />
          <p class="hint">
            Your statistics, your year and your projects then appear above. <a href="/docs">The docs</a> list
            every field.
          </p>
        </>
      ) : (
        <p>A deployment appears here as soon as a pipeline announces it.</p>
      )}
    </Empty>
  )
}

type NothingProps = { all: string; title?: string; of?: 'deployments' | 'days' }

/** Replaces a list, or that of a day, of which nothing matches; `all` is the address of the list of all. */
export function NothingMatches({ all, title = 'No deployments match', of = 'deployments' }: NothingProps) {
  return (
    <Empty title={title}>
      <p>
        <a href={escaped(all)}>Show all {of}</a>
      </p>
    </Empty>
  )
}

export function NothingOlder(): JSX.Element {
  return (
    <Empty title="No older deployments">
      <p>This is the end of the list.</p>
    </Empty>
  )
}
