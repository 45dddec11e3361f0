import { Html } from '@elysiajs/html'
import type { Deployment, Neighbour } from '../../domain/deployment.ts'
import { urlOf } from '../../domain/field-parsing.ts'
import { issuerName, issuerOf } from '../../domain/issuer.ts'
import { projectOf, referenceOf } from '../../domain/link.ts'
import { headlineOf } from '../../domain/message/headline.ts'
import { timestampOf } from '../../domain/time.ts'
import { BadgeEmbed } from '../badge/embed-panel.tsx'
import { deploymentAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import type { PageProps } from '../page/site.ts'
import { Avatar } from '../parts/avatar.tsx'
import { linked } from '../parts/linked-text.tsx'
import { escaped } from '../parts/markup.ts'
import { readableHost, readablePath, readableProject } from '../parts/readable-address.ts'
import { Age, Instant } from '../parts/time-element.tsx'
import { withSingleBlanks } from './body.tsx'
import { WhatChanged } from './comparison.tsx'
import {
  CategoryLabel,
  HistoryLabel,
  Poster,
  ProjectLink,
  ReleaseLabels,
  Subject,
  VerifiedLabel,
} from './labels.tsx'
import { OpenGraph, previewDescription, previewTitle } from './link-preview.tsx'
import { Prose } from './prose.ts'

/** The most characters of a subject that are shown as a large heading. */
const longest = 120

const commitDigits = 12

type Props = PageProps & {
  now: Date
  deployment: Deployment
  /** The scope of its project, which the badge shows; null without a link. */
  target: string | null
  before: Neighbour | null
  after: Neighbour | null
  /** The name of the token that announced it, for its poster; null for others, or if it is not known. */
  token: string | null
}

export function DeploymentPage(props: Props): JSX.Element {
  const { site, viewer, now, deployment, target, token } = props
  const { poster, message, url, verified, environment_url: runsAt } = deployment
  const { username } = poster
  const headline = headlineOf(message)
  const { body, trailers } = headline
  const address = deploymentAddress(deployment)
  const title = previewTitle(headline)
  const description = previewDescription(deployment, target, headline)
  return (
    <Layout
      {...{ site, viewer, title, description }}
      canonical={address}
      head={<OpenGraph {...{ site, title, description }} address={site.baseUrl + address} />}
    >
      <div class="deployment-page" data-now={timestampOf(now)}>
        <div>
          <article>
            {/* Some pipelines put the whole message on one line. */}
            <h1 class={headline.subject.length > longest ? 'long' : undefined}>
              <Subject headline={headline} />
            </h1>
            <WhoAndWhen deployment={deployment} now={now} />
            <WhatChanged deployment={deployment} />
            <Proof verified={verified} />
            {body !== '' && (
              <div class="prose">
                <Prose text={withSingleBlanks(body)} />
              </div>
            )}
            {trailers !== '' && (
              <details class="trailers">
                <summary>Commit details</summary>
                <p>{linked(trailers)}</p>
              </details>
            )}
            <p class="ways-on">
              {url !== null && <LinkTo url={url} name={linkName(url)} />}
              {runsAt !== undefined && <LinkTo url={runsAt} name={runningName(deployment, runsAt)} />}
              {site.slots.besideDeployment(deployment, target)}
              <button type="button" class="button" data-copy="permalink" hidden>
                Copy link
              </button>
              <span class="unseen" id="permalink" aria-hidden="true" safe>
                {site.baseUrl + address}
              </span>
            </p>
            {token !== null && (
              <p class="hint">
                Announced with the token <bdi safe>{token}</bdi>. Only you see this.
              </p>
            )}
          </article>
          <Neighbours {...props} />
        </div>
        <aside>
          <BadgeEmbed {...{ site, username, target }} targets={target === null ? [] : [target]} />
        </aside>
      </div>
      {viewer?.id === poster.id && <Withdraw action={`${address}/delete`} />}
      {site.slots.underDeployment(deployment, viewer)}
    </Layout>
  )
}

function WhoAndWhen({ deployment, now }: { deployment: Deployment; now: Date }): JSX.Element {
  const { poster, category, deployedAt, commit } = deployment
  const project = projectOf(deployment)
  return (
    <p class="who-and-when">
      <span class="who-to">
        <Avatar username={poster.username} />
        <Poster poster={poster} />
        {project !== null && (
          <>
            {' '}
            to <ProjectLink project={project} username={poster.username} />
          </>
        )}
      </span>
      <ReleaseLabels deployment={deployment} commit={commit?.slice(0, commitDigits)} />
      <CategoryLabel category={category} />
      <span class="when">
        <Age then={deployedAt} now={now} />
        <Instant instant={deployedAt} />
      </span>
      <HistoryLabel deployment={deployment} />
    </p>
  )
}

/** Says what was verified, and what that means; empty if nothing was. */
function Proof({ verified }: { verified: Deployment['verified'] }): JSX.Element {
  if (!verified) return ''
  const { issuer: address, repository, workflow } = verified
  const issuer = issuerOf(address, true)
  const prover = issuer === null ? address : issuerName(issuer)
  const of = workflow === null ? 'a job' : `the workflow ${workflow}`
  return (
    <p class="hint">
      <VerifiedLabel verified={verified} />
      <span safe>
        {`: ${prover} proved that ${of} of ${repository} announced this, and the link leads into that repository. This does not prove that the message is true or that the deployment works.`}
      </span>
    </p>
  )
}

/** The previous and the next deployment, the older one first; empty if there is neither. */
function Neighbours({ deployment, before, after, now }: Props): JSX.Element {
  if (before === null && after === null) return ''
  const neighbours = [
    { of: before, words: 'Before this', rel: 'prev' },
    { of: after, words: 'After this', rel: 'next' },
  ] as const
  return (
    <nav class="neighbours" aria-label="Before and after this deployment">
      {neighbours.map(({ of, words, rel }) =>
        of === null ? (
          ''
        ) : (
          <a href={`/${deployment.poster.username}/${of.id}`} rel={rel}>
            <small>
              <span>{words}</span>, <Age then={of.deployedAt} now={now} />
            </small>
            <bdi>
              <Subject headline={headlineOf(of.message)} />
            </bdi>
          </a>
        ),
      )}
    </nav>
  )
}

function LinkTo({ url, name }: { url: string; name: string }): JSX.Element {
  return (
    <a class="button to-link" href={escaped(url)} rel="nofollow ugc noreferrer">
      <bdi dir="ltr">{escaped(name)}</bdi>
    </a>
  )
}

/** "production on shop.example.com": where a deployment runs. */
function runningName({ environment }: Deployment, url: string): string {
  const host = readableHost(urlOf(url)?.host ?? url)
  return environment === undefined ? host : `${environment} on ${host}`
}

/** "ada/engine a89852a on github.com"; for other links the address, in which a lookalike host shows its true name. */
function linkName(url: string): string {
  const project = projectOf({ url })
  if (project === null || project.owner === null) return addressOf(url)
  const name = referenceOf(url)
  const [host = ''] = project.scope.split('/')
  return `${readableProject(project)}${name === null ? '' : ` ${name}`} on ${readableHost(host)}`
}

function addressOf(url: string): string {
  // A link that another version accepted but this one cannot parse must not break the whole page.
  const parsed = urlOf(url)
  if (parsed === null) return url
  const { href, protocol, host, hostname, port } = parsed
  const path = href.slice(protocol.length + '//'.length + host.length).replace(/\/$/, '')
  return readableHost(hostname) + (port === '' ? '' : `:${port}`) + readablePath(path)
}

function Withdraw({ action }: { action: string }): JSX.Element {
  return (
    <details class="withdraw" id="withdraw">
      <summary class="button ghost">
        <span class="more">Withdraw…</span>
        <span class="less">Cancel</span>
      </summary>
      <form class="stack" method="post" action={action}>
        <p class="hint">
          The deployment disappears from the feed, your profile and this page, and your badge shows the one
          before it. This cannot be undone.
        </p>
        <button class="danger" type="submit">
          Withdraw for good
        </button>
      </form>
    </details>
  )
}
