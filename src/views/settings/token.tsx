import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Reasons } from '../../domain/reasons.ts'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Panel } from '../parts/panel.tsx'
import { CopyButton } from '../parts/snippet.tsx'
import { Age, Instant } from '../parts/time.tsx'

export type Token = {
  readonly lastFour: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** A rolled token in its overlap. */
export type OldToken = {
  readonly lastFour: string
  readonly expiresAt: Date
  readonly lastUsedAt: Date | null
  readonly usedSinceRoll: boolean
}

type Props = Asked & {
  now: Date
  token: Token | null
  oldToken: OldToken | null
  newToken: string | null
}

/** The password, which is asked for unless it was given a short while ago. */
type Asked = { viewer: User; asksPassword: boolean; reasons: Reasons; focused: string | undefined }

const hint = 'Your pipeline sends it as a bearer token. It is shown once; we keep only its hash.'

export function TokenPanel({ now, token, oldToken, newToken, ...asked }: Props): JSX.Element {
  return (
    <Panel id="token" title="API token" hint={hint}>
      {newToken !== null && <NewToken newToken={newToken} />}
      {token !== null && <TokenFacts now={now} token={token} />}
      {oldToken !== null && <OldTokenFacts now={now} oldToken={oldToken} />}
      {token === null ? <Generate {...asked} /> : <RollToken hasOldToken={oldToken !== null} {...asked} />}
    </Panel>
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
    </div>
  )
}

function TokenFacts({ now, token }: { now: Date; token: Token }): JSX.Element {
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

function Generate(asked: Asked): JSX.Element {
  return (
    <Form action="/settings/token" within="token">
      <PasswordAgain {...asked} />
      <button class="primary" type="submit">
        Generate token
      </button>
    </Form>
  )
}

/** Rolling in two steps: the button opens the explanation and a choice, and a second one confirms. */
function RollToken({ hasOldToken, ...asked }: Asked & { hasOldToken: boolean }): JSX.Element {
  return (
    <details class="roll" open={asked.focused !== undefined}>
      <summary class="button danger">Roll token</summary>
      <Form action="/settings/token" within="token">
        <fieldset class="stack choices">
          <legend>What happens to the token in use?</legend>
          <Choice value="" label="It stops working at once" hint="For a token that others may have seen." />
          <Choice
            value="24h"
            label="Keep it for 24 hours"
            hint="Time to give your pipelines the new one. This page shows whether anything still uses it."
          />
        </fieldset>
        {hasOldToken && <p class="hint">The old token that you kept before ends in either case.</p>}
        <PasswordAgain {...asked} />
        <button class="danger" type="submit">
          Roll it now
        </button>
      </Form>
    </details>
  )
}

function PasswordAgain({ viewer, asksPassword, reasons, focused }: Asked): JSX.Element {
  if (!asksPassword) return ''
  return (
    <>
      <input type="text" value={viewer.username} autocomplete="username" readonly hidden />
      <Field
        id="token-password"
        name="password"
        label="Your password"
        type="password"
        autocomplete="current-password"
        autofocus={focused === 'password'}
        reasons={reasons}
      />
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
