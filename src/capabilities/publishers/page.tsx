import { Html } from '@elysiajs/html'
import { publisherTokenMinutes } from '../../domain/account/token.ts'
import { type Issuer, type IssuerKind, issuerName } from '../../domain/issuer.ts'
import { Form, Notice } from '../../views/parts/form.tsx'
import { type FormState, isRefused, SelectField, TextField } from '../../views/parts/form-fields.tsx'
import { Panel } from '../../views/parts/panel.tsx'
import { secretlessSnippets } from '../../views/parts/pipeline-snippets.ts'
import { SnippetTabs } from '../../views/parts/snippet.tsx'
import { type PanelProps, PasswordField } from '../../views/settings/account.tsx'
import { LastUse } from '../../views/settings/token.tsx'
import type { TrustedPipeline } from './form.ts'

type PublisherRow = TrustedPipeline & { readonly id: number; readonly lastUsedAt: Date | null }

type PublishersProps = PanelProps & { publishers: readonly PublisherRow[]; showsSteps: boolean }

const hint = `Pipelines that announce without a secret: they prove who they are, and receive a token that lasts ${publisherTokenMinutes} minutes and can only announce.`

export function PublishersPanel({ publishers, showsSteps, ...panel }: PublishersProps): JSX.Element {
  const { site, viewer, now, notice } = panel
  const trusted = site.issuers.filter(({ address }) => publishers.some(({ issuer }) => issuer === address))
  const steps = secretlessSnippets(
    { ...site, username: viewer.username },
    trusted.map(({ kind }) => kind),
  )
  return (
    <Panel id="publishers" title="Trusted publishers" hint={hint}>
      {publishers.length > 0 && (
        <ul>
          {publishers.map((publisher) => (
            <PublisherItem publisher={publisher} issuers={site.issuers} now={now} />
          ))}
        </ul>
      )}
      <Notice text={notice} />
      {steps.length > 0 && (
        <details class="roll" open={showsSteps}>
          <summary class="button">The step for your pipeline</summary>
          <SnippetTabs name="publishing" legend="Where it runs" snippets={steps} />
        </details>
      )}
      <AddPublisher {...panel} />
    </Panel>
  )
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
      <Form
        action={`/settings/publishers/${id}/delete`}
        within="publishers"
        button={
          <>
            Remove<span class="unseen" safe>{` ${repository}`}</span>
          </>
        }
      />
    </li>
  )
}

/** The claims that a job must match, other than the repository. */
function detailsOf({ issuer, workflow, environment }: PublisherRow, issuers: readonly Issuer[]): string {
  const known = issuers.find(({ address }) => address === issuer)
  // The operator may have removed the issuer since.
  const name = known === undefined ? `${issuer}, which is not trusted any more` : issuerName(known)
  return [name, workflow, environment && `in ${environment}`].filter(Boolean).join(' · ')
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
  const hints = { github: 'deploy.yml', gitlab: 'on GitLab .gitlab-ci.yml' }
  const offered = Object.entries(hints).filter(([of]) => issuers.some(({ kind }) => kind === of))
  return offered.map(([, hint]) => hint).join('; ') || null
}

function AddPublisher(panel: PanelProps): JSX.Element {
  const { form } = panel
  const { issuers } = panel.site
  const workflows = workflowHint(issuers)
  return (
    <details class="roll" open={isRefused(form)}>
      <summary class="button">Add a publisher</summary>
      <Form action="/settings/publishers" within="publishers" button="Add publisher" look="primary">
        <SelectField
          {...field(form, 'issuer')}
          label="CI provider"
          options={issuers.map((issuer) => [issuer.address, issuerName(issuer)])}
        />
        <TextField {...field(form, 'repository')} label="Repository" hint={repositoryHint(issuers)} />
        {workflows !== null && (
          <div class="columns">
            <TextField {...field(form, 'workflow')} label="Workflow (optional)" hint={workflows} isOptional />
            <TextField
              {...field(form, 'environment')}
              label="Environment (optional)"
              hint="production"
              isOptional
            />
          </div>
        )}
        <PasswordField id="publisher-password" {...panel} />
      </Form>
    </details>
  )
}

const field = (form: FormState, name: keyof TrustedPipeline) => ({ form, name, id: `publisher-${name}` })
