import { Html, type PropsWithChildren } from '@elysiajs/html'
import { badgeFactsOf } from '../../badge/facts.ts'
import type { Deployment } from '../../domain/deployment.ts'
import type { RefusedCall } from '../../domain/refused-call.ts'
import { BadgeImage } from '../badge/image.tsx'
import { badgeAddress, badgeAlt, badgeSnippet, offeredChoice } from '../badge/snippets.ts'
import { DeploymentEntry } from '../deployment/entry.tsx'
import type { Site } from '../page/site.ts'
import { polled } from '../parts/form.tsx'
import { curlWithForm, type ExampleFields, pipelineSnippets } from '../parts/pipeline-snippets.ts'
import { Snippet, SnippetTabs } from '../parts/snippet.tsx'
import { Age } from '../parts/time-element.tsx'
import { Refusals } from './refused-calls.tsx'
import { TokenContent, type TokenProps } from './token.tsx'

type Props = TokenProps & { refusals: readonly RefusedCall[]; first: Deployment | null; imported: number }

/** The steps to the first deployment. It replaces the panels that it combines. */
export function ChecklistPanel(props: Props): JSX.Element {
  const { site, viewer, now, token, refusals, first, imported } = props
  const hasToken = token !== null
  const done = first !== null ? 3 : hasToken ? 1 : 0
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
              <TokenContent {...props} within="checklist" look="ghost" />
            </div>
          )}
        </Step>
        <Step n={2} title="Announce" state={first !== null ? 'done' : hasToken ? 'now' : 'later'}>
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
        <Embed site={site} viewer={viewer} now={now} first={first} />
        {hasToken && site.slots.belowChecklist(site.baseUrl, imported)}
      </ol>
    </section>
  )
}

export function AnnounceSnippets({ site, example }: { site: Site; example?: ExampleFields }): JSX.Element {
  return (
    <>
      <SnippetTabs
        name="snippet"
        legend="Where it runs"
        snippets={[['curl', curlWithForm(site.baseUrl, example)], ...pipelineSnippets(site)]}
      />
      <p class="hint">
        Store your token, or <a href="/settings/tokens">one for each pipeline</a>, as{' '}
        <code>SHIPFEED_TOKEN</code> in your pipeline’s secrets. See <a href="/docs">all fields and answers</a>
        , and how to <a href="/docs#pinned">pin the script</a>.
      </p>
    </>
  )
}

/** Reloads itself until the first deployment has arrived. */
function Waiting({ now, isOn, refusals }: Pick<Props, 'now' | 'refusals'> & { isOn: boolean }): JSX.Element {
  const title = (
    <>
      {isOn && <span class="breathing" />}
      Waiting for your first deployment…
    </>
  )
  return (
    <Step n={3} title={title} state={isOn ? 'open' : 'later'}>
      <p class="hint with-scripts">It appears here by itself, without a reload.</p>
      <p class="hint without-scripts">Reload this page after you have announced it.</p>
      {isOn && (
        <p class="hint">
          Nothing yet? <code>Unauthorized</code> means that the call had no valid token: run{' '}
          <code>export SHIPFEED_TOKEN=</code> with your token first.
        </p>
      )}
      {isOn && (
        <div
          hx-get="/settings"
          hx-target="#checklist"
          hx-select="#checklist"
          hx-select-oob="#announcing"
          hx-swap="outerMorph ignoreTitle:true"
          {...polled(2)}
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

/** The checklist is complete once this snippet is copied. */
function Embed({ site, viewer, now, first }: Pick<Props, 'site' | 'viewer' | 'now' | 'first'>): JSX.Element {
  const badge = { ...offeredChoice, username: viewer.username, target: null }
  // Within a page, browsers reuse an image by its address whatever its headers say.
  const image = `${badgeAddress(badge)}&at=${first?.id ?? 0}`
  const facts = badgeFactsOf(first?.deployedAt ?? null, now)
  return (
    <Step n={4} title="Embed the badge" state={first === null ? 'later' : 'now'}>
      <p class="preview-line">
        <BadgeImage address={image} alt={badgeAlt(badge)} facts={facts} />
        {first === null && <span class="hint">turns green with step 3</span>}
      </p>
      {first !== null && (
        <>
          <div hx-post="/settings/checklist" hx-trigger="copied" hx-swap="none">
            <Snippet id="checklist-badge" code={badgeSnippet('markdown', site.baseUrl, badge)} />
          </div>
          <p>
            <a class="button" href={`/${viewer.username}`}>
              See your profile
            </a>
          </p>
        </>
      )}
    </Step>
  )
}

type StepProps = PropsWithChildren<{
  n: number | '+'
  title: JSX.Element
  state: 'done' | 'now' | 'open' | 'later'
}>

export function Step({ n, title, state, children }: StepProps): JSX.Element {
  return (
    <li class={`step ${state}`} aria-current={state === 'now' ? 'step' : undefined}>
      <span class="number" aria-hidden="true">
        {state === 'done' ? '✓' : n}
      </span>
      <div class="stack">
        <h3>
          {title}
          {state === 'done' && <span class="unseen">, done</span>}
        </h3>
        {children}
      </div>
    </li>
  )
}
