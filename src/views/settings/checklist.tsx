import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { badgeAlt, badgeSnippet, headBadgeAddress, offeredChoice } from '../badge/snippets.ts'
import { DeploymentEntry } from '../deployment/entry.tsx'
import type { Site } from '../page/site.ts'
import { attribute } from '../parts/attribute.ts'
import { keepOnError } from '../parts/htmx.ts'
import { Snippet } from '../parts/snippet.tsx'
import { Age } from '../parts/time.tsx'
import { AnnounceSnippets } from './announce.tsx'
import { type Refusal, Refusals } from './refusals.tsx'
import { Step } from './step.tsx'
import { TokenContent, type TokenProps } from './token.tsx'

type Props = {
  site: Site
  viewer: User
  now: Date
  token: TokenProps
  refusals: readonly Refusal[]
  first: Deployment | null
}

/** The way to the first deployment, in the place of the panels that it is made of. */
export function ChecklistPanel({ site, viewer, now, token, refusals, first }: Props): JSX.Element {
  const hasToken = token.token !== null
  const done = [hasToken, first !== null, first !== null].filter(Boolean).length
  return (
    <section id="checklist" class="panel checklist" aria-labelledby="checklist-title">
      <header>
        <h2 id="checklist-title">Your first deployment</h2>
        <form class="hint" method="post" action="/settings/checklist">
          <span safe>{`${done} of 4`}</span> ·{' '}
          <button class="plain link" type="submit">
            Hide
          </button>
        </form>
      </header>
      <ol>
        <Step n={1} title="Token" state={hasToken ? 'done' : 'now'}>
          {first === null && (
            <div id="token" class="stack" hx-morph-skip>
              <TokenContent {...token} within="checklist" />
            </div>
          )}
        </Step>
        <Step n={2} title="Announce" state={first !== null ? 'done' : hasToken ? 'open' : 'later'}>
          {first === null && (
            <div id="announce" class="stack" hx-morph-skip>
              <AnnounceSnippets site={site} example={{ message: 'My first deployment' }} />
            </div>
          )}
        </Step>
        {first === null ? (
          <Waiting now={now} isOn={hasToken} refusals={refusals} />
        ) : (
          <Arrived now={now} first={first} />
        )}
        <Embed site={site} viewer={viewer} first={first} />
      </ol>
    </section>
  )
}

type WaitingProps = { now: Date; isOn: boolean; refusals: readonly Refusal[] }

/** Asks for itself again until the first deployment is there. */
function Waiting({ now, isOn, refusals }: WaitingProps): JSX.Element {
  return (
    <Step n={3} title="Waiting for your first deployment…" state={isOn ? 'now' : 'later'}>
      <p class="hint with-scripts">It arrives here by itself. There is nothing to reload.</p>
      <p class="hint without-scripts">Load this page again when you have announced it.</p>
      {isOn && (
        <div
          hx-get="/settings"
          hx-trigger="every 2s"
          hx-target="#checklist"
          hx-select="#checklist"
          hx-select-oob="#announcing"
          hx-swap="outerMorph ignoreTitle:true"
          hx-sync="drop"
          {...keepOnError}
        ></div>
      )}
      {refusals.length > 0 && (
        <div id="refusals">
          <Refusals now={now} refusals={refusals} />
        </div>
      )}
    </Step>
  )
}

function Arrived({ now, first }: { now: Date; first: Deployment }): JSX.Element {
  const title = (
    <span role="status">
      Your first deployment arrived <Age then={first.deployedAt} now={now} />
    </span>
  )
  return (
    <Step n={3} title={title} state="done">
      <ol class="deployments">
        <DeploymentEntry deployment={first} now={now} place="person" />
      </ol>
    </Step>
  )
}

type EmbedProps = { site: Site; viewer: User; first: Deployment | null }

/** Once its text is copied, the checklist has done what it is for. */
function Embed({ site, viewer, first }: EmbedProps): JSX.Element {
  const badge = { ...offeredChoice, username: viewer.username, target: null }
  // Within a page, browsers reuse an image by its address whatever its headers say.
  const image = `${headBadgeAddress(viewer.username)}&at=${first?.id ?? 0}`
  return (
    <Step n={4} title="Embed the badge" state={first === null ? 'later' : 'now'}>
      <p class="preview-line">
        <img class="badge" src={attribute(image)} alt={badgeAlt(badge)} height="20" />
        {first === null && <span class="hint">turns green with step 3</span>}
      </p>
      {first !== null && (
        <div hx-post="/settings/checklist" hx-trigger="copied" hx-swap="none">
          <Snippet id="checklist-badge" code={badgeSnippet('markdown', site.baseUrl, badge)} />
        </div>
      )}
    </Step>
  )
}
