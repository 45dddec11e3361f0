import { Html } from '@elysiajs/html'
import { publisherTokenMinutes } from '../../domain/account/token.ts'
import { type Issuer, type IssuerKind, issuerName } from '../../domain/publisher/issuer.ts'
import type { Site } from '../page/site.ts'
import { Form, Notice, Panel, ReasonList, TextField } from '../parts/panels-and-forms.tsx'
import { secretlessSnippets } from '../parts/pipeline-snippets.ts'
import { SnippetTabs } from '../parts/snippet.tsx'
import { type PasswordAgain, PasswordField } from './account.tsx'
import { LastUse } from './token.tsx'

export type PublisherRow = {
  readonly id: number
  readonly issuer: string
  readonly repository: string
  readonly workflow: string | null
  readonly environment: string | null
  readonly lastUsedAt: Date | null
}

type Props = NewPublisher & {
  site: Site
  now: Date
  publishers: readonly PublisherRow[]
  /** The result of a form, and whether it continues with the snippets for a pipeline. */
  notice: { readonly text: string; readonly showsSteps?: true } | null
}

const hint = `Pipelines that announce without a secret: they prove who they are, and receive a token that lasts ${publisherTokenMinutes} minutes and can only announce.`

export function PublishersPanel({ site, now, publishers, notice, ...add }: Props): JSX.Element {
  const steps = stepsOf(site, publishers, add.viewer.username)
  return (
    <Panel id="publishers" title="Trusted publishers" hint={hint}>
      {publishers.length > 0 && (
        <ul>
          {publishers.map((publisher) => (
            <PublisherItem publisher={publisher} issuers={add.issuers} now={now} />
          ))}
        </ul>
      )}
      <Notice text={notice?.text ?? null} />
      {steps.length > 0 && (
        <details class="roll" open={notice?.showsSteps === true}>
          <summary class="button">The step for your pipeline</summary>
          <SnippetTabs name="publishing" legend="Where it runs" snippets={steps} />
        </details>
      )}
      <AddPublisher {...add} />
    </Panel>
  )
}

/** The steps that the pipelines of these publishers run, for the forges that we have snippets for. */
function stepsOf(
  { baseUrl, audience, issuers }: Site,
  publishers: readonly PublisherRow[],
  username: string,
) {
  const trusted = issuers.filter(({ address }) => publishers.some(({ issuer }) => issuer === address))
  const kinds = trusted.map(({ kind }) => kind)
  return secretlessSnippets({ baseUrl, audience, username }, kinds)
}

type ItemProps = { publisher: PublisherRow; issuers: readonly Issuer[]; now: Date }

function PublisherItem({ publisher, issuers, now }: ItemProps): JSX.Element {
  const { id, repository, lastUsedAt } = publisher
  return (
    <li class="row">
      <span>
        <code safe>{repository}</code> <span class="hint" safe>{`· ${detailsOf(publisher, issuers)}`}</span>
        <span class="hint">
          {' '}
          · <LastUse lastUsedAt={lastUsedAt} now={now} />
        </span>
      </span>
      <Form action={`/settings/publishers/${id}/delete`} within="publishers">
        <button type="submit">
          Remove<span class="unseen" safe>{` ${repository}`}</span>
        </button>
      </Form>
    </li>
  )
}

/** The claims that a job must match, other than the repository. */
function detailsOf({ issuer, workflow, environment }: PublisherRow, issuers: readonly Issuer[]): string {
  const known = issuers.find(({ address }) => address === issuer)
  return [
    // The operator may have removed the issuer since.
    known === undefined ? `${issuer}, which is not trusted any more` : issuerName(known),
    ...(workflow === null ? [] : [workflow]),
    ...(environment === null ? [] : [`in ${environment}`]),
  ].join(' · ')
}

type NewPublisher = PasswordAgain & {
  issuers: readonly Issuer[]
  /** The values that were typed. */
  typed: Readonly<Record<'issuer' | 'repository' | 'workflow' | 'environment', string>>
}

const repositoryHints: Readonly<Record<IssuerKind, string>> = {
  github: 'ada/engine, or the address of its page',
  gitlab: 'ada/engine, or the address of its page',
  buildkite: 'acme/engine, or the address of the pipeline',
  circleci: 'the id of the project, from its settings',
  other: 'the whole claim “sub” of its tokens, its beginning up to a : or /, or another claim as name=value',
}

/** The hint for the offered issuers. If their hints differ, all but the first hint name their issuers. */
function repositoryHint(issuers: readonly Issuer[]): string {
  const byHint = Map.groupBy(issuers, ({ kind }) => repositoryHints[kind])
  return [...byHint]
    .map(([hint, of], n) => (n === 0 ? hint : `for ${of.map(issuerName).join(', ')}, ${hint}`))
    .join('; ')
}

/** The hint for the offered issuers, each of which has its own term for a workflow; null if none has workflows. */
function workflowHint(issuers: readonly Issuer[]): string | null {
  const kinds = issuers.map(({ kind }) => kind)
  const hints = { github: 'deploy.yml', gitlab: 'on GitLab .gitlab-ci.yml' }
  const offered = (['github', 'gitlab'] as const).filter((kind) => kinds.includes(kind))
  return offered.map((kind) => hints[kind]).join('; ') || null
}

/** A form that a button opens, like the one that rolls the token. */
function AddPublisher({ issuers, typed, ...again }: NewPublisher): JSX.Element {
  const { focused, reasons } = again
  const workflows = workflowHint(issuers)
  const fieldOf = (name: 'repository' | 'workflow' | 'environment') => ({
    id: `publisher-${name}`,
    name,
    value: typed[name],
    focused,
    reasons,
  })
  return (
    <details class="roll" open={focused !== undefined}>
      <summary class="button">Add a publisher</summary>
      <Form action="/settings/publishers" within="publishers">
        <IssuerChoice issuers={issuers} chosen={typed.issuer} reasons={reasons.issuer ?? []} />
        <TextField {...fieldOf('repository')} label="Repository" hint={repositoryHint(issuers)} />
        {workflows !== null && (
          <div class="columns">
            <TextField {...fieldOf('workflow')} label="Workflow (optional)" hint={workflows} isOptional />
            <TextField
              {...fieldOf('environment')}
              label="Environment (optional)"
              hint="production"
              isOptional
            />
          </div>
        )}
        <PasswordField id="publisher-password" {...again} />
        <button class="primary" type="submit">
          Add publisher
        </button>
      </Form>
    </details>
  )
}

type ChoiceProps = { issuers: readonly Issuer[]; chosen: string; reasons: readonly string[] }

function IssuerChoice({ issuers, chosen, reasons }: ChoiceProps): JSX.Element {
  const isRefused = reasons.length > 0
  return (
    <div class="field">
      <label for="publisher-issuer">CI provider</label>
      <select
        id="publisher-issuer"
        name="issuer"
        autocomplete="off"
        autofocus={isRefused}
        aria-describedby={isRefused ? 'publisher-issuer-reasons' : undefined}
      >
        {issuers.map((issuer) => (
          <option value={issuer.address} selected={issuer.address === chosen} safe>
            {issuerName(issuer)}
          </option>
        ))}
      </select>
      {isRefused && <ReasonList id="publisher-issuer-reasons" reasons={reasons} />}
    </div>
  )
}
