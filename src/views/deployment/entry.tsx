import { Html } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import { headlineOf } from '../../domain/entry/headline.ts'
import { projectOf } from '../../domain/entry/project.ts'
import { Identicon } from '../parts/identicon.tsx'
import { marked } from '../parts/marked.ts'
import { prepared } from '../parts/prepared.ts'
import { Clock, ShortAge } from '../parts/time.tsx'
import { Body } from './body.tsx'
import { CategoryLabel, Poster, ProjectLink, Subject } from './parts.tsx'
import { Reference } from './reference.tsx'
import { Release, shortCommit } from './release.tsx'

/** The list that an entry stands in: what the head of its page says is left out. */
export type Place = 'feed' | 'person' | 'project'

/** The place of a list of one user: a project is told by the head of its page, but a host is above several. */
export function placeOfUser(scope: string | null): Place {
  return scope?.includes('/') ? 'project' : 'person'
}

type Props = {
  deployment: Deployment
  now: Date
  place?: Place | undefined
  /** Whether its day is told by the page: then it says at what time. */
  isOnDay?: boolean | undefined
  /** What was searched for, which is marked. */
  words?: readonly string[] | undefined
}

/** One entry of a list: on a page, below "Older deployments" and on the live stream. */
export function DeploymentEntry({ deployment, now, place = 'feed', isOnDay, words }: Props): JSX.Element {
  const { id, poster, message, url, category, deployedAt } = deployment
  const { username } = poster
  const headline = headlineOf(message)
  const project = place === 'project' ? null : projectOf(url)
  const subject = <Subject headline={headline} />
  const draw = place === 'feed' ? entry : compactEntry
  return draw(
    { id: String(id), username },
    {
      picture: place === 'feed' ? <Identicon username={username} /> : '',
      poster: place === 'feed' ? <Poster poster={poster} /> : '',
      project: project === null ? '' : <ProjectLink project={project} username={username} />,
      release: <Release deployment={deployment} />,
      age: isOnDay ? <Clock instant={deployedAt} /> : <ShortAge then={deployedAt} now={now} />,
      category: <CategoryLabel category={category} />,
      link: <Reference url={url} commit={shortCommit(deployment.commit)} />,
      subject: words === undefined ? subject : marked(String(subject), words),
      body: <Body headline={headline} mostLines={place === 'feed' ? 3 : 1} words={words} />,
    },
  )
}

type Text = 'id' | 'username'
type Part = 'picture' | 'poster' | 'project' | 'release' | 'age' | 'category' | 'link' | 'subject' | 'body'

const drawn = (isCompact: boolean) =>
  prepared<Text, Part>(
    ({ id, username }, { picture, poster, project, release, age, category, link, subject, body }) => (
      <li class="entry" id={`deployment-${id}`} data-by={isCompact ? undefined : username}>
        <article class={isCompact ? 'deployment compact' : 'deployment'} aria-labelledby={`subject-${id}`}>
          {picture}
          <p class="meta">
            {poster} {project} {release}
            {age}{' '}
            <span class="end">
              {category} {link}
            </span>
          </p>
          <h3 class="subject" id={`subject-${id}`}>
            <a href={`/${username}/${id}`}>{subject}</a>
          </h3>
          {body}
        </article>
      </li>
    ),
  )
const entry = drawn(false)
const compactEntry = drawn(true)
