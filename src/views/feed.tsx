import { Html } from '@elysiajs/html'
import type { Category } from '../domain/category.ts'
import type { Deployment } from '../domain/deployment.ts'
import type { User } from '../domain/user.ts'
import { feedAddress } from './address.ts'
import { curlWithForm } from './announce-examples.ts'
import { CategoryFilter } from './category-filter.tsx'
import { DeploymentList } from './deployment.tsx'
import { Layout } from './layout.tsx'
import type { Site } from './site.ts'
import { Snippet } from './snippet.tsx'

type Props = {
  site: Site
  viewer: User | null
  now: Date
  category: Category | null
  deployments: readonly Deployment[]
  older: number | null
}

export function FeedPage({ site, viewer, now, category, deployments, older }: Props): JSX.Element {
  return (
    <Layout
      site={site}
      viewer={viewer}
      title="Deployments"
      current="feed"
      canonical={feedAddress({ category })}
    >
      <h1>Deployments</h1>
      <CategoryFilter active={category} href={(category) => feedAddress({ category })} />
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
    </Layout>
  )
}

function NothingYet({ site, viewer }: { site: Site; viewer: User | null }): JSX.Element {
  return (
    <section class="panel stack">
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
