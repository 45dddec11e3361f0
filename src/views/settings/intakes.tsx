import { Html } from '@elysiajs/html'
import {
  type IntakeFilterValues,
  type IntakeKind,
  type IntakeValues,
  intakeKinds,
  mostIntakes,
} from '../../domain/intake/intake.ts'
import type { Reasons } from '../../domain/text-fields.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { EnvironmentsField, firstInvalid, TextField, Tick } from '../parts/form.tsx'
import { Panel } from '../parts/panel.tsx'
import { type PasswordAgain, PasswordField } from './token.tsx'

/** What the list shows of an intake. */
export type IntakeRow = {
  readonly id: string
  readonly kind: IntakeKind
  readonly environments: readonly string[]
  readonly pausedAt: Date | null
}

/** The panel on the page of settings that links to the intakes. */
export function IntakesPanel(): JSX.Element {
  const hint = 'GitHub, GitLab, Forgejo or Gitea announces for you, without a step in any pipeline.'
  return (
    <Panel id="intakes" title="Intakes" hint={hint}>
      <p>
        <a class="button" href="/settings/intakes">
          Intakes
        </a>
      </p>
    </Panel>
  )
}

type Props = Omit<PasswordAgain, 'focused'> & {
  site: Site
  intakes: readonly IntakeRow[]
  /** The values that were typed. */
  typed: IntakeValues
}

export function IntakesPage({ site, intakes, typed, ...again }: Props): JSX.Element {
  return (
    <Layout site={site} viewer={again.viewer} title="Intakes" current="settings">
      <h1>Intakes</h1>
      <p class="hint">
        Each is an address that a webhook of your forge calls after a deployment or a release.{' '}
        <a href="/settings">All settings</a>
      </p>
      <Panel id="intakes" title="Yours">
        {intakes.length === 0 ? (
          <p class="hint">None yet.</p>
        ) : (
          <ul>
            {intakes.map(({ id, kind, environments, pausedAt }) => (
              <li class="row">
                <span>
                  <a href={`/settings/intakes/${id}`} safe>
                    {`${intakeKinds[kind]} …${id.slice(-4)}`}
                  </a>{' '}
                  <span class="hint" safe>
                    {environments.length === 0 ? '' : `· ${environments.join(', ')}`}
                  </span>
                </span>
                <span class="hint">{pausedAt === null ? '' : 'paused'}</span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <AddPanel typed={typed} {...again} />
    </Layout>
  )
}

function AddPanel({ typed, ...again }: Pick<Props, 'typed'> & Omit<PasswordAgain, 'focused'>): JSX.Element {
  const { reasons } = again
  const focused = firstInvalid(['environments', 'workflows', 'password'], reasons)
  return (
    <Panel id="add-intake" title="Add an intake" hint={`You can have ${mostIntakes}.`}>
      {/* Not a Form, because the answer is another page. */}
      <form class="stack" method="post" action="/settings/intakes">
        <div class="field">
          <label for="kind">Forge</label>
          <select id="kind" name="kind" autocomplete="off">
            {Object.entries(intakeKinds).map(([kind, name]) => (
              <option value={kind} selected={kind === typed.kind}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <IntakeFilterFields {...{ typed, focused, reasons }} />
        <PasswordField id="intake-password" {...again} focused={focused} />
        <button class="primary" type="submit">
          Add intake
        </button>
      </form>
    </Panel>
  )
}

type FilterProps = {
  /** The forge, if it is chosen. */
  kind?: IntakeKind
  typed: IntakeFilterValues
  focused: string | undefined
  reasons: Reasons
}

/** The fields of a filter, as far as the forge has such a thing. */
export function IntakeFilterFields({ kind, typed, focused, reasons }: FilterProps): JSX.Element {
  return (
    <>
      <div class="columns">
        {kind !== 'forgejo' && <EnvironmentsField value={typed.environments} {...{ focused, reasons }} />}
        {(kind === undefined || kind === 'forgejo') && (
          <TextField
            name="workflows"
            label="Only these workflows of Forgejo (optional)"
            value={typed.workflows}
            hint="deploy.yml"
            isOptional
            {...{ focused, reasons }}
          />
        )}
      </div>
      {kind !== 'forgejo' && (
        <fieldset class="choices">
          <legend>Transient environments</legend>
          <Tick
            name="transient"
            label="Also announce those of pull requests and reviews"
            isTicked={typed.transient !== ''}
          />
        </fieldset>
      )}
    </>
  )
}
