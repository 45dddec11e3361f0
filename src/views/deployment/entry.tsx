import { Html } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import { Identicon } from '../parts/identicon.tsx'
import { prepared } from '../parts/prepared.ts'
import { Age } from '../parts/time.tsx'
import { FoldedMessage } from './message.tsx'
import { CategoryLabel, Poster } from './parts.tsx'
import { PostedLink } from './posted-link.tsx'

/** One entry of a list: on a page, below "Older deployments" and on the live stream. */
export function DeploymentEntry({ deployment, now }: { deployment: Deployment; now: Date }): JSX.Element {
  const { id, poster, message, url, category, deployedAt } = deployment
  const { username, name } = poster
  return entry(
    { id: String(id), username, name },
    {
      picture: <Identicon username={username} />,
      age: <Age then={deployedAt} now={now} />,
      category: <CategoryLabel category={category} />,
      message: <FoldedMessage message={message} />,
      link: url === null ? '' : <PostedLink url={url} />,
    },
  )
}

type Text = 'id' | 'username' | 'name'
type Part = 'picture' | 'age' | 'category' | 'message' | 'link'

const entry = prepared<Text, Part>(({ id, username, name }, { picture, age, category, message, link }) => (
  <li class="entry" id={`deployment-${id}`}>
    <article class="deployment">
      {picture}
      <div>
        <header class="byline">
          <h3>
            <Poster poster={{ username, name }} />
          </h3>
          <span class="hint" safe>{`@${username}`}</span>
          <span class="hint">
            <a class="quiet" href={`/${username}/${id}`}>
              {age}
            </a>
          </span>
          {category}
        </header>
        {message}
        {link}
      </div>
    </article>
  </li>
))
