import { Html } from '@elysiajs/html'
import { restrictionInWords } from '../../domain/restriction.ts'
import { Layout } from '../../views/page/layout.tsx'
import type { Site } from '../../views/page/site.ts'
import { ActionButton, Form, Notice, TwoSteps } from '../../views/parts/form.tsx'
import {
  Choice,
  EnvironmentsField,
  type FormState,
  SelectField,
  TextField,
} from '../../views/parts/form-fields.tsx'
import { escaped } from '../../views/parts/markup.ts'
import { Panel, Row } from '../../views/parts/panel.tsx'
import { NewSecret, Snippet } from '../../views/parts/snippet.tsx'
import { Age } from '../../views/parts/time-element.tsx'
import { type GuardedForm, type PanelProps, PasswordField } from '../../views/settings/account.tsx'
import { fluxManifests } from './flux-manifests.ts'
import { callOutcomes, type IntakeKind, intakeKinds, keptCalls, maxIntakes } from './rules.ts'
import type { ListedIntake, StoredCall, StoredIntake } from './store.ts'

type Props = GuardedForm & {
  site: Site
  now: Date
  intakes: readonly ListedIntake[]
  notice: string | null
}

export function IntakesPage({ site, now, intakes, notice, ...guarded }: Props): JSX.Element {
  return (
    <Layout site={site} viewer={guarded.viewer} title="Intakes" current="settings">
      <h1>Intakes</h1>
      <p class="hint">
        Each is an address that a webhook of your forge, or Flux, calls after a deployment or a release.{' '}
        <a href="/settings">All settings</a>
      </p>
      <Panel id="intakes" title="Your intakes">
        <Notice text={notice} />
        {intakes.length === 0 ? (
          <p class="hint">No intakes yet.</p>
        ) : (
          <ul>
            {intakes.map(({ id, kind, environments, pausedAt, lastCall }) => (
              <Row aside={pausedAt === null ? '' : 'paused'}>
                <a href={`/settings/intakes/${id}`}>{escaped(`${intakeKinds[kind]} …${id.slice(-4)}`)}</a>{' '}
                <span class="hint">
                  <span safe>
                    {restrictionInWords({ targets: [], environments })
                      .map((part) => `· ${part} `)
                      .join('')}
                  </span>
                  ·{' '}
                  {lastCall === null ? (
                    'not called yet'
                  ) : (
                    <>
                      last: <bdi safe>{lastCall.about}</bdi>, <Age then={lastCall.receivedAt} now={now} />
                    </>
                  )}
                </span>
              </Row>
            ))}
          </ul>
        )}
      </Panel>
      <Panel id="add-intake" title="Add an intake" hint={`Up to ${maxIntakes}.`}>
        <Form action="/settings/intakes" button="Add intake" look="primary">
          <SelectField form={guarded.form} name="kind" label="From" options={Object.entries(intakeKinds)} />
          <FilterFields form={guarded.form} />
          <PasswordField id="intake-password" {...guarded} />
        </Form>
      </Panel>
    </Layout>
  )
}

/** The fields of a filter: only those of the forge. While that is chosen, the stylesheet shows only its own. */
function FilterFields({ kind, form }: { kind?: IntakeKind; form: FormState }): JSX.Element {
  return (
    <>
      {kind !== 'forgejo' && (
        <div class="of-others">
          <EnvironmentsField form={form} />
        </div>
      )}
      {(kind === undefined || kind === 'forgejo') && (
        <div class="of-forgejo">
          <TextField
            form={form}
            name="workflows"
            label="Only these workflows (optional)"
            hint="Such as deploy.yml"
            isOptional
          />
        </div>
      )}
      {kind !== 'forgejo' && (
        <fieldset class="choices of-others">
          <legend>Transient environments</legend>
          <Choice
            form={form}
            name="transient"
            label="Also announce previews, and deployments of pull requests and reviews"
          />
        </fieldset>
      )}
    </>
  )
}

type OneProps = Omit<PanelProps, 'asksPassword'> & {
  intake: StoredIntake
  waiting: number
  calls: readonly StoredCall[]
  newSecret: string | null
}

/** The page of one intake: how to connect a forge to it, its filter, and its last calls. */
export function IntakePage(props: OneProps): JSX.Element {
  const { site, viewer, intake, waiting, newSecret, notice, form } = props
  const { id, kind, pausedAt } = intake
  const at = `/settings/intakes/${id}`
  const address = `${site.baseUrl}/api/in/${kind}/${id}`
  const change = pausedAt === null ? 'Pause' : 'Resume'
  return (
    <Layout site={site} viewer={viewer} title={`Intake from ${intakeKinds[kind]}`} current="settings">
      <h1>Intake</h1>
      <p class="hint">
        <a href="/settings/intakes">All intakes</a>
      </p>
      <Panel id="intake" title={`From ${intakeKinds[kind]}`} hint={steps[kind]}>
        <Snippet id="intake-address" label="The address" code={address} />
        {newSecret !== null && <NewSecret secret={newSecret} label="The secret of the webhook." />}
        {kind === 'flux' && (
          <Snippet id="intake-manifest" label="In your cluster" code={fluxManifests(address)} />
        )}
        <p safe>{stateOf(pausedAt !== null, waiting)}</p>
        <Notice text={notice} />
        <ActionButton action={`${at}/${change.toLowerCase()}`} label={change} />
      </Panel>
      <Panel id="filter" title="What it announces" hint="Successful deployments, and published releases.">
        <Form action={`${at}/filter`} within="filter" button="Save">
          <FilterFields kind={kind} form={form} />
        </Form>
      </Panel>
      <CallsPanel {...props} />
      <Panel id="delete-intake" title="Delete this intake" danger>
        <TwoSteps label="Delete intake" hint="Its address stops working at once. Your deployments stay.">
          <ActionButton action={`${at}/delete`} label="Delete it now" isDanger />
        </TwoSteps>
      </Panel>
    </Layout>
  )
}

const steps: Readonly<Record<IntakeKind, string>> = {
  github:
    'In the settings of a repository or an organization, add a webhook with this address and secret, content type application/json, and the events “Deployment statuses” and “Releases”.',
  gitlab:
    'In the settings of a project or a group, add a webhook with this address and the secret as its secret token, and the triggers “Deployment events” and “Releases events”.',
  forgejo:
    'In the settings of a repository or an organization, add a webhook of the type Forgejo or Gitea with this address and secret, content type application/json, and the event “Release”; on Forgejo also “Success” of action runs.',
  flux: 'Add a Provider and an Alert as below. Name the Kustomizations and HelmReleases that deploy, and their environment and link. Leave these out of the Alert if each has its own, in the annotations event.toolkit.fluxcd.io/environment and …/url.',
}

function stateOf(isPaused: boolean, waiting: number): string {
  const state = isPaused ? 'Paused' : 'On'
  if (waiting === 0) return state
  const calls = waiting === 1 ? '1 call waits' : `${waiting} calls wait`
  return `${state}. ${calls}${isPaused ? ' until you resume it' : ', because you have reached the limit of announcements per minute'}.`
}

function CallsPanel({ viewer, now, intake, calls }: OneProps): JSX.Element {
  const others = intake.kind === 'flux' ? 'say nothing new' : 'are neither deployments nor releases'
  const hint = `The last ${keptCalls}. Events that ${others} are not listed.`
  return (
    <Panel id="calls" title="Calls" hint={hint}>
      {calls.length === 0 ? (
        <p class="hint">None yet.</p>
      ) : (
        <ol class="refusals">
          {calls.map(({ about, outcome, reason, deploymentId, receivedAt }) => (
            <Row aside={<Age then={receivedAt} now={now} />}>
              <span safe>{about === '' ? '' : `${about} · `}</span>
              {deploymentId === null ? (
                <span>{callOutcomes[outcome]}</span>
              ) : (
                <a href={`/${viewer.username}/${deploymentId}`}>{callOutcomes[outcome]}</a>
              )}
              <span safe>{reason === null ? '' : `: ${reason}`}</span>
            </Row>
          ))}
        </ol>
      )}
    </Panel>
  )
}
