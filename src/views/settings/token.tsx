import { Html } from '@elysiajs/html'
import { oldTokenHours } from '../../domain/account/token.ts'
import type { User } from '../../domain/account/user.ts'
import type { Reasons } from '../../domain/body.ts'
import { Form } from '../parts/form.tsx'
import { Panel } from '../parts/panel.tsx'
import { CopyButton, Snippet } from '../parts/snippet.tsx'
import { Age, Instant } from '../parts/time-element.tsx'
import { OwnPassword } from './account.tsx'

export type CurrentToken = {
  readonly lastFour: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** A rolled token that still works for a while. */
export type OldToken = {
  readonly lastFour: string
  readonly expiresAt: Date
  readonly lastUsedAt: Date | null
  readonly usedSinceRoll: boolean
}

export type TokenProps = PasswordAgain & {
  now: Date
  token: CurrentToken | null
  oldToken: OldToken | null
  newToken: string | null
}

const hint = 'Your pipeline sends it as a bearer token. It is shown once; we keep only its hash.'

export function TokenPanel(props: TokenProps): JSX.Element {
  return (
    <Panel id="token" title="API token" hint={hint}>
      <TokenContent {...props} within="token" />
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
  isQuiet = false,
  ...form
}: ContentProps): JSX.Element {
  return (
    <>
      {newToken !== null && <NewToken newToken={newToken} />}
      {token !== null && <TokenFacts now={now} token={token} />}
      {oldToken !== null && <OldTokenFacts now={now} oldToken={oldToken} />}
      {token === null ? (
        <GenerateToken {...form} />
      ) : (
        <RollToken hasOldToken={oldToken !== null} isQuiet={isQuiet} {...form} />
      )}
    </>
  )
}

function NewToken({ newToken }: { newToken: string }): JSX.Element {
  return (
    <div class="field new-token">
      <label for="new-token">Your new token. Copy it now: it is not shown again.</label>
      <div class="copied-from">
        <input id="new-token" value={newToken} readonly autocomplete="off" spellcheck="false" autofocus />
        <CopyButton of="new-token" what="the token" />
      </div>
      <Snippet
        id="new-token-export"
        label="Run this first, in your terminal"
        code={`export SHIPFEED_TOKEN=${newToken}`}
      />
    </div>
  )
}

function TokenFacts({ now, token }: { now: Date; token: CurrentToken }): JSX.Element {
  return (
    <p class="hint">
      <code safe>{`ship_…${token.lastFour}`}</code> · created <Age then={token.createdAt} now={now} /> ·{' '}
      <LastUse lastUsedAt={token.lastUsedAt} now={now} />
    </p>
  )
}

function LastUse({ lastUsedAt, now }: { lastUsedAt: Date | null; now: Date }): JSX.Element {
  if (lastUsedAt === null) return <>never used</>
  return (
    <>
      last used <Age then={lastUsedAt} now={now} />
    </>
  )
}

function OldTokenFacts({ now, oldToken }: { now: Date; oldToken: OldToken }): JSX.Element {
  const { lastFour, expiresAt, lastUsedAt, usedSinceRoll } = oldToken
  return (
    <p class="old-token">
      The old token <code safe>{`ship_…${lastFour}`}</code> works until <Instant instant={expiresAt} />.{' '}
      {usedSinceRoll && lastUsedAt !== null ? (
        <strong>
          Something still uses it: last <Age then={lastUsedAt} now={now} />.
        </strong>
      ) : (
        <>Nothing has used it since the roll.</>
      )}
    </p>
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

/** Rolls the token in two steps: a button opens an explanation and a choice, and a second button confirms. */
function RollToken({
  hasOldToken,
  isQuiet,
  within,
  ...again
}: FormProps & {
  hasOldToken: boolean
  /** Whether tokens are not the subject of the page. */
  isQuiet: boolean
}): JSX.Element {
  return (
    <details class="roll" open={again.focused !== undefined}>
      <summary class={isQuiet ? 'button ghost' : 'button danger'}>Roll token</summary>
      <Form action="/settings/token" within={within}>
        <fieldset class="stack choices">
          <legend>What happens to the current token?</legend>
          <Choice value="" label="It stops working at once" hint="If others may have seen it." />
          <Choice
            value="24h"
            label={`Keep it for ${oldTokenHours} hours`}
            hint="So that you can update your pipelines. This page shows whether anything still uses it."
          />
        </fieldset>
        {hasOldToken && <p class="hint">The old token from before stops working in either case.</p>}
        <PasswordField id="token-password" {...again} />
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

function Choice({ value, label, hint }: { value: string; label: string; hint: string }): JSX.Element {
  const id = `keep-old-${value}`
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
