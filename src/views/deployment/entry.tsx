import { Html } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import { deploymentAddress } from '../page/address.ts'
import { Identicon } from '../parts/identicon.tsx'
import { Age } from '../parts/time.tsx'
import { FoldedMessage } from './message.tsx'
import { CategoryLabel, Poster } from './parts.tsx'
import { PostedLink } from './posted-link.tsx'

/** One entry of a list: on a page, below "Older deployments" and on the live stream. */
export function DeploymentEntry({ deployment, now }: { deployment: Deployment; now: Date }): JSX.Element {
  const { id, poster, message, url, category, deployedAt } = deployment
  return (
    <li class="entry" id={`deployment-${id}`}>
      <article class="deployment">
        <Identicon username={poster.username} />
        <div>
          <header class="byline">
            <h3>
              <Poster poster={poster} />
            </h3>
            <span class="hint" safe>{`@${poster.username}`}</span>
            <span class="hint">
              <a class="quiet" href={deploymentAddress(deployment)}>
                <Age then={deployedAt} now={now} />
              </a>
            </span>
            <CategoryLabel category={category} />
          </header>
          <FoldedMessage message={message} />
          {url !== null && <PostedLink url={url} />}
        </div>
      </article>
    </li>
  )
}
