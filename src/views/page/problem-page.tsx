import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { Layout } from './layout.tsx'
import type { Site } from './site.ts'

type Props = { site: Site; viewer: User | null; status: number; title: string; message: string }

/** What went wrong and what to do about it. */
export function ProblemPage({ site, viewer, status, title, message }: Props): JSX.Element {
  return (
    <Layout site={site} viewer={viewer} title={title} head={<meta name="robots" content="noindex" />}>
      <section class="problem stack">
        <p class="status">{status}</p>
        <h1 safe>{title}</h1>
        <p id="advice" safe>
          {message}
        </p>
        <p class="ways-on">
          <a class="button primary" href="/">
            Go to the feed
          </a>
          <a class="button" href="/docs">
            Read the docs
          </a>
        </p>
      </section>
    </Layout>
  )
}
