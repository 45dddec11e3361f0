import { Html } from '@elysiajs/html'
import type { Deployment } from '../domain/deployment.ts'
import { deploymentAddress } from './address.ts'
import { attribute } from './attribute.ts'
import { dayHeading } from './calendar.ts'
import { CategoryLabel, Message, PostedLink, Poster } from './deployment-parts.tsx'
import { Identicon } from './identicon.tsx'
import { Age } from './time.tsx'

/** An error's page is not put into the list: htmx would swap it in like any other answer. */
const keepOnError = { 'hx-status:4xx': 'swap:none', 'hx-status:5xx': 'swap:none' }

type ListProps = {
  deployments: readonly Deployment[]
  now: Date
  older: number | null
  href: (before: number) => string
}

/** The deployments under their days, newest first, and the link to the page before the id `older`. */
export function DeploymentList({ deployments, now, older, href }: ListProps): JSX.Element {
  return (
    <>
      {daysOf(deployments, now).map((day) => (
        <section class="day">
          <h2 class="date" safe>
            {day.heading}
          </h2>
          <ol>
            {day.deployments.map((deployment) => (
              <DeploymentEntry deployment={deployment} now={now} />
            ))}
          </ol>
        </section>
      ))}
      {older !== null && <OlderDeployments address={href(older)} />}
    </>
  )
}

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
          <Message message={message} />
          {url !== null && <PostedLink url={url} shape="in-one-line" />}
        </div>
      </article>
    </li>
  )
}

type Day = { readonly heading: string; readonly deployments: Deployment[] }

function daysOf(deployments: readonly Deployment[], now: Date): Day[] {
  const days: Day[] = []
  for (const deployment of deployments) {
    const heading = dayHeading(deployment.deployedAt, now)
    const last = days.at(-1)
    if (last?.heading === heading) {
      last.deployments.push(deployment)
    } else {
      days.push({ heading, deployments: [deployment] })
    }
  }
  return days
}

function OlderDeployments({ address }: { address: string }): JSX.Element {
  const href = attribute(address)
  return (
    <nav class="older" aria-label="Pages">
      <a
        class="button"
        href={href}
        hx-get={href}
        hx-target="closest .older"
        hx-swap="outerHTML"
        {...keepOnError}
      >
        Older deployments
      </a>
    </nav>
  )
}
