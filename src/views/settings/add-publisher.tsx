import { Html } from '@elysiajs/html'
import { type Issuer, issuerName } from '../../domain/publisher/issuer.ts'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { type PasswordAgain, PasswordField } from './token-forms.tsx'

export type NewPublisher = PasswordAgain & {
  issuers: readonly Issuer[]
  /** What was typed. */
  typed: Typed
}

type Typed = {
  readonly issuer: string
  readonly repository: string
  readonly workflow: string
  readonly environment: string
}

/** In two steps, as a token is rolled: the button opens the form. */
export function AddPublisher({ issuers, typed, ...again }: NewPublisher): JSX.Element {
  const { focused, reasons } = again
  const fieldOf = (name: 'repository' | 'workflow' | 'environment') => ({
    id: `publisher-${name}`,
    name,
    value: typed[name],
    autofocus: focused === name,
    reasons,
  })
  return (
    <details class="roll" open={focused !== undefined}>
      <summary class="button">Add a publisher</summary>
      <Form action="/settings/publishers" within="publishers">
        <IssuerChoice issuers={issuers} chosen={typed.issuer} />
        <Field
          {...fieldOf('repository')}
          label="Repository"
          hint="ada/engine; where neither GitHub nor GitLab runs it, the whole sub of its tokens"
        />
        <div class="columns">
          <Field
            {...fieldOf('workflow')}
            label="Workflow (optional)"
            hint="deploy.yml; on GitLab .gitlab-ci.yml"
            isOptional
          />
          <Field {...fieldOf('environment')} label="Environment (optional)" hint="production" isOptional />
        </div>
        <PasswordField id="publisher-password" {...again} />
        <button class="primary" type="submit">
          Add it
        </button>
      </Form>
    </details>
  )
}

function IssuerChoice({ issuers, chosen }: { issuers: readonly Issuer[]; chosen: string }): JSX.Element {
  return (
    <div class="field">
      <label for="publisher-issuer">Who runs it</label>
      <select id="publisher-issuer" name="issuer" autocomplete="off">
        {issuers.map((issuer) => (
          <option value={issuer.address} selected={issuer.address === chosen} safe>
            {issuerName(issuer)}
          </option>
        ))}
      </select>
    </div>
  )
}
