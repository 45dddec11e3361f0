import { Html } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import { Identicon } from '../parts/identicon.tsx'
import { prepared } from '../parts/prepared.ts'
import { Age } from '../parts/time.tsx'
import { FoldedMessage } from './message.tsx'
import { CategoryLabel, Poster } from './parts.tsx'
import { PostedLink } from './posted-link.tsx'

type Props = { deployment: Deployment; now: Date; compact?: boolean | undefined }

/**
 * One entry of a list: on a page, below "Older deployments" and on the live stream. A compact one leaves out
 * who deployed, for the pages of one person; their lists hide it in what the live stream brings.
 */
export function DeploymentEntry({ deployment, now, compact = false }: Props): JSX.Element {
  const { id, poster, message, url, category, deployedAt } = deployment
  const { username, name } = poster
  const draw = compact ? compactEntry : entry
  return draw(
    { id: String(id), username, name },
    {
      picture: compact ? '' : <Identicon username={username} />,
      age: <Age then={deployedAt} now={now} />,
      category: <CategoryLabel category={category} />,
      message: <FoldedMessage message={message} />,
      link: url === null ? '' : <PostedLink url={url} />,
    },
  )
}

type Text = 'id' | 'username' | 'name'
type Part = 'picture' | 'age' | 'category' | 'message' | 'link'

const drawn = (compact: boolean) =>
  prepared<Text, Part>(({ id, username, name }, { picture, age, category, message, link }) => {
    const content = (
      <>
        <header class="byline">
          {!compact && (
            <>
              <h3>
                <Poster poster={{ username, name }} />
              </h3>
              <span class="hint" safe>{`@${username}`}</span>
            </>
          )}
          <a class="quiet" href={`/${username}/${id}`}>
            {age}
          </a>
          {category}
        </header>
        {message}
        {link}
      </>
    )
    return (
      <li class="entry" id={`deployment-${id}`}>
        <article class="deployment">
          {picture}
          {compact ? content : <div>{content}</div>}
        </article>
      </li>
    )
  })
const entry = drawn(false)
const compactEntry = drawn(true)
