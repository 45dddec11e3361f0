import { Html } from '@elysiajs/html'
import type { ProblemCode } from '../../domain/problems.ts'
import { Layout } from './layout.tsx'
import type { PageProps } from './site.ts'

const headings: Readonly<Record<ProblemCode, string>> = {
  bad_request: 'That request can’t be read',
  unauthorized: 'That token is not valid',
  forbidden: 'That is not allowed',
  not_found: 'There is nothing here',
  method_not_allowed: 'That method doesn’t work here',
  conflict: 'That has changed',
  payload_too_large: 'That is too large',
  unsupported_media_type: 'That kind of body can’t be read',
  validation_error: 'That is not valid',
  idempotency_key_reused: 'That key was used before',
  rate_limited: 'Too many requests',
  internal_error: 'Something broke on our side',
  not_implemented: 'There is no such format',
  unavailable: 'Back in a moment',
}

type Props = PageProps & {
  code: ProblemCode
  status: number
  message: string
  /** What stands in place of the usual heading of its code; null if that says enough. */
  heading: string | null
  /** The search that cannot be read, to be changed. */
  search: string | null
}

export function ProblemPage({ site, viewer, code, status, message, heading, search }: Props): JSX.Element {
  const title = heading ?? headings[code]
  return (
    <Layout site={site} viewer={viewer} title={title} head={<meta name="robots" content="noindex" />}>
      <section class="problem stack">
        <p class="status">{status}</p>
        <h1 safe>{title}</h1>
        <p id="advice" safe>
          {message}
        </p>
        {search !== null && site.search !== null && <site.search.Again text={search} />}
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
