import { Html } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import { isByBot } from '../../domain/feed/bots.ts'
import { type LinkFacts, linkFactsOf, projectIn } from '../../domain/link.ts'
import { headlineOf } from '../../domain/message/headline.ts'
import { shortCommit } from '../../domain/release/release.ts'
import { targetOfDeployment } from '../../domain/target.ts'
import { Avatar } from '../parts/avatar.tsx'
import type { Marks } from '../parts/marks.ts'
import { template } from '../parts/markup.ts'
import { readableHost } from '../parts/readable-address.ts'
import { Clock, ShortAge } from '../parts/time-element.tsx'
import { Body } from './body.tsx'
import { CompareLink } from './comparison.tsx'
import {
  CategoryLabel,
  HistoryLabel,
  Poster,
  ProjectLink,
  ReleaseLabels,
  Subject,
  sideOf,
  VerifiedLabel,
} from './labels.tsx'

/** The kind of list that an entry is in. An entry omits what the heading of that page already says. */
export type EntryPlace = 'feed' | 'person' | 'project'

/** The kind of a list of one user: a scope with a path is one project, and a host has several. */
export function placeOfUser(scope: string | null): EntryPlace {
  return scope?.includes('/') ? 'project' : 'person'
}

/** What an entry depends on besides its deployment. */
export type EntryLook = {
  readonly place?: EntryPlace
  /** Whether the page already names the day; the entry then shows the time. */
  readonly isOnDay?: boolean
  /** What a search for words has found. */
  readonly marks?: Marks
}

type Props = EntryLook & {
  deployment: Deployment
  now: Date
  /** Whether it continues the run of the entry above, which names the user and the project. */
  isJoined?: boolean
  /** Whether an entry above stands for it: a later stop of the same release. */
  isPassed?: boolean
  /** The way of the release, of which this is the latest stop. */
  journey?: JSX.Element
}

/**
 * One entry of a list: on a page, below "Older deployments" and on the live stream. It has few attributes, because a
 * page has 25 entries: the stylesheet selects by element where it can, and Referrer-Policy hides the referrer.
 */
export function DeploymentEntry(props: Props): JSX.Element {
  const { deployment, now, place = 'feed', isOnDay = false, marks } = props
  const { isJoined = false, isPassed = false, journey = '' } = props
  const { id, poster, message, url, category, deployedAt, verified } = deployment
  const { username } = poster
  // An identity proves the repository of the link. Beside the name of a project, it would seem to prove that name.
  const isOfLink = deployment.project === undefined
  const headline = headlineOf(message)
  const link = url === null ? null : linkFactsOf(url)
  const target = targetOfDeployment(deployment)
  const project = place === 'project' || target === null ? null : projectIn(target)
  const subject = Subject({ headline })
  const draw = place === 'feed' ? entry : compactEntry
  return draw(
    {
      ...{ id: String(id), username, side: sideOf(headline.subject) },
      joined: `${isJoined ? ' joined' : ''}${isPassed ? ' passed' : ''}`,
      by: isByBot(deployment) ? ' by-bot' : '',
    },
    {
      picture: place === 'feed' ? Avatar({ username }) : '',
      poster: place === 'feed' ? Poster({ poster }) : '',
      project: project === null ? '' : ProjectLink({ project, username }),
      release: ReleaseLabels({ deployment, target }),
      age: `${isOnDay ? Clock({ instant: deployedAt }) : ShortAge({ instant: deployedAt, now })}${HistoryLabel({ deployment })}${VerifiedLabel({ verified: isOfLink ? verified : null })}`,
      category: CategoryLabel({ category }),
      link: `${CompareLink({ deployment })}${Reference({ deployment, link })}`,
      subject: marks === undefined ? subject : marks.mark(String(subject)),
      body: Body({ headline, maxLines: place === 'feed' ? 3 : 1, marks }),
      journey,
    },
  )
}

type Text = 'id' | 'username' | 'side' | 'joined' | 'by'
type Meta = 'poster' | 'project' | 'release' | 'age' | 'category' | 'link'
type Part = Meta | 'picture' | 'subject' | 'body' | 'journey'

const drawn = (isCompact: boolean) =>
  template<Text, Part>(
    (
      { id, username, side, joined, by },
      { picture, poster, project, release, age, category, link, subject, body, journey },
    ) => (
      <li class={`entry${joined}${by}`} id={`deployment-${id}`} data-by={isCompact ? undefined : username}>
        <article aria-labelledby={`s${id}`}>
          {picture}
          <p class="meta">
            {poster} {project} {release}
            {age} {category} {link}
          </p>
          <h3 class={`subject${side}`} id={`s${id}`}>
            <a href={`/${username}/${id}`}>{subject}</a>
          </h3>
          {body}
          {journey}
        </article>
      </li>
    ),
  )
const entry = drawn(false)
const compactEntry = drawn(true)

/** The posted link, named after its target or else the commit; an arrow if that says nothing new. */
function Reference({ deployment, link }: { deployment: Deployment; link: LinkFacts | null }): JSX.Element {
  const { url, version } = deployment
  const commit = shortCommit(deployment.commit)
  if (url === null) return commit === null ? '' : unlinked({ commit })
  // A link that another version accepted but this one cannot parse must not break the whole page.
  const host = readableHost(link?.host ?? url)
  const name = link?.reference ?? commit
  if (name === null) return arrow({ url, label: `Link to ${host}` })
  const label = `${name} on ${host}`
  return name === version ? arrow({ url, label }) : named({ url, name, label })
}

const named = template<'url' | 'name' | 'label'>(({ url, name, label }) => (
  <a class="reference" href={url} rel="nofollow ugc" aria-label={label}>
    <bdi>{name}</bdi>
  </a>
))

const unlinked = template<'commit'>(({ commit }) => <code class="commit on-wide">{commit}</code>)

const arrow = template<'url' | 'label'>(({ url, label }) => (
  <a class="reference" href={url} rel="nofollow ugc">
    <span class="unseen">{label}</span>
  </a>
))
