import { Html, type PropsWithChildren } from '@elysiajs/html'
import { oldTokenHours } from '../../domain/account/token.ts'
import type { User } from '../../domain/account/user.ts'
import type { Reasons } from '../../domain/text-fields.ts'
import { Form } from '../parts/form.tsx'
import { Panel } from '../parts/panel.tsx'
import { CopyButton, Snippet } from '../parts/snippet.tsx'
import { counted } from '../parts/text.tsx'
import { OwnPassword } from './account.tsx'
import { type CurrentToken, type OldToken, OldTokenFacts, TokenFacts } from './token-facts.tsx'

export type TokenProps = PasswordAgain & {
  now: Date
  token: CurrentToken | null
  oldToken: OldToken | null
  newToken: string | null
  /** How many other tokens there are. */
  otherTokens: number
}

const hint = 'Your pipeline sends it as a bearer token. It is shown once; we keep only its hash.'

export function TokenPanel(props: TokenProps): JSX.Element {
  const { otherTokens } = props
  return (
    <Panel id="token" title="API token" hint={hint}>
      <TokenContent {...props} within="token" />
      <p class="hint">
        <span safe>
          {otherTokens === 0
            ? 'Each pipeline can have a token of its own'
            : `You have ${counted(otherTokens, 'other token')}`}
        </span>
        : <a href="/settings/tokens">all tokens</a>.
      </p>
    </Panel>
  )
}

type ContentProps = TokenProps & {
  /** The id of the part of the page that a form replaces. */
  within: string
  /** Whether tokens are not the subject of the page. */
  isQuiet?: boolean
}

export function TokenContent({
  now,
  token,
  oldToken,
  newToken,
  otherTokens: _,
  isQuiet = false,
  ...form
}: ContentProps): JSX.Element {
  return (
    <>
      {newToken !== null && <ShownToken token={newToken} />}
      {token !== null && <TokenFacts now={now} token={token} />}
      {oldToken !== null && <OldTokenFacts now={now} oldToken={oldToken} />}
      {token === null ? (
        <GenerateToken {...form} />
      ) : (
        <RollToken
          {...form}
          action="/settings/token"
          hasOldToken={oldToken !== null}
          look={isQuiet ? 'ghost' : 'danger'}
        />
      )}
    </>
  )
}

/** A new token, which is shown once. */
export function ShownToken({ token }: { token: string }): JSX.Element {
  return (
    <div class="field new-token">
      <label for="new-token">Your new token. Copy it now: it is not shown again.</label>
      <div class="copied-from">
        <input id="new-token" value={token} readonly autocomplete="off" spellcheck="false" autofocus />
        <CopyButton of="new-token" what="the token" />
      </div>
      <Snippet
        id="new-token-export"
        label="Run this first, in your terminal"
        code={`export SHIPFEED_TOKEN=${token}`}
      />
    </div>
  )
}

/** The password field, which is shown unless the password was entered a short while ago. */
export type PasswordAgain = {
  viewer: User
  asksPassword: boolean
  reasons: Reasons
  focused: string | undefined
}

/** `within` is the id of the part of the page that the answer replaces. */
type FormProps = PasswordAgain & { within: string }

function GenerateToken({ within, ...again }: FormProps): JSX.Element {
  return (
    <Form action="/settings/token" within={within}>
      <PasswordField id="token-password" {...again} />
      <button class="primary" type="submit">
        Generate token
      </button>
    </Form>
  )
}

type RollProps = FormProps & {
  action: string
  /** Makes the ids of this form unique on its page. */
  ids?: string
  /** The name of the token, if the page has several. */
  name?: string
  hasOldToken: boolean
  look?: 'danger' | 'ghost' | ''
}

/** Rolls the token in two steps: a button opens an explanation and a choice, and a second button confirms. */
export function RollToken({
  action,
  ids = '',
  name,
  hasOldToken,
  look = 'danger',
  within,
  children,
  ...again
}: PropsWithChildren<RollProps>): JSX.Element {
  return (
    <details class="roll" open={again.focused !== undefined}>
      <summary class={`button ${look}`}>
        Roll token
        {name !== undefined && <span class="unseen" safe>{` ${name}`}</span>}
      </summary>
      <Form action={action} within={within}>
        <fieldset class="stack choices">
          <legend>What happens to the current token?</legend>
          <Choice
            id={`keep-old-${ids}`}
            value=""
            label="It stops working at once"
            hint="If others may have seen it."
          />
          <Choice
            id={`keep-old-${ids}24h`}
            value="24h"
            label={`Keep it for ${oldTokenHours} hours`}
            hint="So that you can update your pipelines. This page shows whether anything still uses it."
          />
        </fieldset>
        {hasOldToken && <p class="hint">The old token from before stops working in either case.</p>}
        {children}
        <PasswordField id={`token-password${ids}`} {...again} />
        <button class="danger" type="submit">
          Roll it now
        </button>
      </Form>
    </details>
  )
}

/** Empty if the password need not be entered again. */
export function PasswordField({ id, ...again }: PasswordAgain & { id: string }): JSX.Element {
  const { viewer, asksPassword, reasons, focused } = again
  if (!asksPassword) return ''
  return (
    <>
      <input type="text" value={viewer.username} autocomplete="username" readonly hidden />
      <OwnPassword id={id} focused={focused} reasons={reasons} />
    </>
  )
}

type ChoiceProps = { id: string; value: string; label: string; hint: string }

function Choice({ id, value, label, hint }: ChoiceProps): JSX.Element {
  return (
    <div class="choice">
      <input
        type="radio"
        id={id}
        name="keep_old"
        value={value}
        checked={value === ''}
        autocomplete="off"
        aria-describedby={`${id}-hint`}
      />
      <label for={id} safe>
        {label}
      </label>
      <p class="choice-hint hint" id={`${id}-hint`} safe>
        {hint}
      </p>
    </div>
  )
}
