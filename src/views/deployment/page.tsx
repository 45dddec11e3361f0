import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Deployment, Neighbour } from '../../domain/deployment.ts'
import { type Headline, headlineOf } from '../../domain/entry/headline.ts'
import { projectOf } from '../../domain/entry/project.ts'
import { timestampOf } from '../../domain/time.ts'
import { BadgeEmbed } from '../badge/panel.tsx'
import { deploymentAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { Identicon } from '../parts/identicon.tsx'
import { linked } from '../parts/linked.tsx'
import { Age, Instant } from '../parts/time.tsx'
import { NamedLink } from './named-link.tsx'
import { Neighbours } from './neighbours.tsx'
import { CategoryLabel, Poster, ProjectLink, Subject } from './parts.tsx'
import { WholeRelease } from './release.tsx'
import { withSingleBlanks } from './single-blanks.ts'
import { descriptionOf, OpenGraph, titleOf } from './unfurled.tsx'
import { Withdraw } from './withdraw.tsx'

/** Characters of a subject that is set as a heading. */
const longest = 120

type Props = {
  site: Site
  viewer: User | null
  now: Date
  deployment: Deployment
  /** The scope of its project, which its badge is of; null without a link. */
  target: string | null
  before: Neighbour | null
  after: Neighbour | null
}

export function DeploymentPage({ site, viewer, now, deployment, target, before, after }: Props): JSX.Element {
  const { poster, message, url } = deployment
  const headline = headlineOf(message)
  const address = deploymentAddress(deployment)
  const title = titleOf(headline)
  const description = descriptionOf(deployment, target, headline)
  return (
    <Layout
      site={site}
      viewer={viewer}
      title={title}
      description={description}
      canonical={address}
      head={<OpenGraph title={title} description={description} address={site.baseUrl + address} />}
    >
      <div class="permanent" data-now={timestampOf(now)}>
        <div>
          <article>
            {/* Some put their whole message into one line. */}
            <h1 class={headline.subject.length > longest ? 'long' : undefined}>
              <Subject headline={headline} />
            </h1>
            <WhoAndWhen deployment={deployment} now={now} />
            <Prose headline={headline} />
            <p class="ways-on">
              {url !== null && <NamedLink url={url} />}
              <button type="button" class="button" data-copy="permalink" hidden>
                Copy link
              </button>
              <span class="unseen" id="permalink" aria-hidden="true" safe>
                {site.baseUrl + address}
              </span>
            </p>
          </article>
          <Neighbours username={poster.username} before={before} after={after} now={now} />
        </div>
        <aside>
          <BadgeEmbed
            site={site}
            username={poster.username}
            targets={target === null ? [] : [target]}
            target={target}
          />
        </aside>
      </div>
      {viewer?.id === poster.id && <Withdraw action={`${address}/delete`} />}
    </Layout>
  )
}

function WhoAndWhen({ deployment, now }: { deployment: Deployment; now: Date }): JSX.Element {
  const { poster, url, category, deployedAt } = deployment
  const project = projectOf(url)
  return (
    <p class="who-and-when">
      <span class="who-to">
        <Identicon username={poster.username} />
        <Poster poster={poster} />
        {project !== null && (
          <>
            {' '}
            to <ProjectLink project={project} username={poster.username} />
          </>
        )}
      </span>
      <WholeRelease deployment={deployment} />
      <Age then={deployedAt} now={now} />
      <Instant instant={deployedAt} />
      <CategoryLabel category={category} />
    </p>
  )
}

/** What follows the first line, whole, with its addresses as links. */
function Prose({ headline: { body } }: { headline: Headline }): JSX.Element {
  if (body === '') return ''
  return <div class="prose">{linked(withSingleBlanks(body.split('\n')).join('\n'))}</div>
}
