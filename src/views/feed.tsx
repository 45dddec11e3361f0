import { Html } from '@elysiajs/html'
import type { Category } from '../domain/category.ts'
import type { Deployment } from '../domain/deployment.ts'
import type { User } from '../domain/user.ts'
import { feedAddress, liveAddress } from './address.ts'
import { curlWithForm } from './announce-examples.ts'
import { CategoryFilter } from './category-filter.tsx'
import { DeploymentList, LiveList } from './deployment-list.tsx'
import { Layout } from './layout.tsx'
import { LiveState } from './live.tsx'
import type { Site } from './site.ts'
import { Snippet } from './snippet.tsx'

type Props = {
  site: Site
  viewer: User | null
  now: Date
  category: Category | null
  deployments: readonly Deployment[]
  older: number | null
  /** The last event that the list holds; null for an older page, which is not live. */
  seen: number | null
}

export function FeedPage({ site, viewer, now, category, deployments, older, seen }: Props): JSX.Element {
  return (
    <Layout
      site={site}
      viewer={viewer}
      title="Deployments"
      current="feed"
      canonical={feedAddress({ category })}
    >
      <header class="list-head">
        <h1>Deployments</h1>
        {seen !== null && <LiveState />}
      </header>
      <CategoryFilter active={category} href={(category) => feedAddress({ category })} />
      <LiveList live={seen === null ? null : { address: liveAddress({ category }), seen }} now={now}>
        {deployments.length === 0 ? (
          <NothingYet site={site} viewer={viewer} />
        ) : (
          <DeploymentList
            deployments={deployments}
            now={now}
            older={older}
            href={(before) => feedAddress({ category, before })}
          />
        )}
      </LiveList>
    </Layout>
  )
}

function NothingYet({ site, viewer }: { site: Site; viewer: User | null }): JSX.Element {
  return (
    <section class="panel stack empty">
      <h2>No deployments here yet</h2>
      <p>
        {viewer === null ? <a href="/sign-in">Sign in</a> : <a href="/settings">Open your settings</a>} to
        generate an API token, then announce a deployment from your pipeline:
      </p>
      <Snippet code={curlWithForm(site.baseUrl)} />
      <p>
        <a href="/docs">How it works</a>
      </p>
    </section>
  )
}
