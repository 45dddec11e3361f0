import { Html } from '@elysiajs/html'
import type { User } from '../domain/user.ts'
import { Layout } from './layout.tsx'
import type { Site } from './site.ts'

type Props = { site: Site; viewer: User | null; title: string; message: string }

export function ProblemPage({ site, viewer, title, message }: Props): JSX.Element {
  return (
    <Layout site={site} viewer={viewer} title={title} head={<meta name="robots" content="noindex" />}>
      <section class="problem stack">
        <h1 safe>{title}</h1>
        <p safe>{message}</p>
        <p>
          <a href="/">Back to the feed</a>
        </p>
      </section>
    </Layout>
  )
}
