import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { withControlPictures } from '../../domain/text.ts'
import { deploymentAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { attribute } from '../parts/attribute.ts'
import { Identicon } from '../parts/identicon.tsx'
import { Panel } from '../parts/panel.tsx'
import { Age, Instant } from '../parts/time.tsx'
import { Message } from './message.tsx'
import { CategoryLabel, Poster } from './parts.tsx'
import { PostedLink } from './posted-link.tsx'

const descriptionLength = 200

type Props = { site: Site; viewer: User | null; now: Date; deployment: Deployment }

export function DeploymentPage({ site, viewer, now, deployment }: Props): JSX.Element {
  const { poster, message, url, category, deployedAt } = deployment
  const title = `Deployment by ${poster.name}`
  const description = beginningOf(message)
  const address = deploymentAddress(deployment)
  return (
    <Layout
      site={site}
      viewer={viewer}
      title={title}
      description={description}
      canonical={address}
      head={<OpenGraph title={title} description={description} address={site.baseUrl + address} />}
    >
      <article class="panel stack permanent">
        <header class="profile">
          <Identicon username={poster.username} />
          <div class="who">
            <h1>
              <Poster poster={poster} />
            </h1>
            <p class="hint">
              <span safe>{`@${poster.username}`}</span> · <Age then={deployedAt} now={now} /> ·{' '}
              <Instant instant={deployedAt} />
            </p>
          </div>
          <CategoryLabel category={category} />
        </header>
        <Message message={message} />
        {url !== null && <PostedLink url={url} />}
      </article>
      {viewer?.id === poster.id && <Withdraw action={`${address}/delete`} />}
    </Layout>
  )
}

function beginningOf(message: string): string {
  const line = withControlPictures(message).replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length > descriptionLength ? `${characters.slice(0, descriptionLength).join('')}…` : line
}

function OpenGraph({ title, description, address }: { title: string; description: string; address: string }) {
  return (
    <>
      <meta property="og:site_name" content="Shipfeed" />
      <meta property="og:type" content="article" />
      <meta property="og:title" content={attribute(title)} />
      <meta property="og:description" content={attribute(description)} />
      <meta property="og:url" content={attribute(address)} />
      <meta name="twitter:card" content="summary" />
    </>
  )
}

function Withdraw({ action }: { action: string }): JSX.Element {
  return (
    <Panel id="withdraw" title="Withdraw this deployment" danger>
      <p class="hint">
        It disappears from the feed and from your profile, your badge goes back to the deployment before it,
        and this page is gone. This cannot be undone.
      </p>
      <details class="confirmation">
        <summary class="button danger">Withdraw…</summary>
        <form method="post" action={action}>
          <button class="danger" type="submit">
            Withdraw it for good
          </button>
        </form>
      </details>
    </Panel>
  )
}
