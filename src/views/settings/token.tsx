import { Html, type PropsWithChildren } from '@elysiajs/html'
import { oldTokenHours, warnedDays } from '../../domain/account/token.ts'
import { dayOf, startOfDay, utcDayOf } from '../../domain/ages-and-days.ts'
import { dayInWords } from '../parts/dates.ts'
import { counted } from '../parts/links-and-marks.tsx'
import { Form, Panel } from '../parts/panels-and-forms.tsx'
import { CopyButton, Snippet } from '../parts/snippet.tsx'
import { Age, Instant } from '../parts/time-element.tsx'
import { type PasswordAgain, PasswordField } from './account.tsx'

export type CurrentToken = {
  readonly lastFour: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  /** The name of the pipeline that used it last; null if unknown. */
  readonly lastUsedFrom: string | null
  /** The last UTC day on which it works, as 2026-11-02; null for no end. */
  readonly endsOn: string | null
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
  /** How many other tokens there are. */
  otherTokens: number
}

const hint = 'Your pipeline sends it as a bearer token. It is shown once; we keep only its hash.'

export function TokenPanel(props: TokenProps): JSX.Element {
  const { otherTokens } = props
  return (
    <Panel id="token" title="API token" hint={hint}>
      <TokenContent {...props} within="token" look="danger" />
      <p class="hint">
        <span safe>
          {otherTokens === 0
            ? 'Each pipeline can have a token of its own.'
            : `You have ${counted(otherTokens, 'other token')}.`}
        </span>{' '}
        <a href="/settings/tokens">All tokens</a>
      </p>
    </Panel>
  )
}

/** The token of a page with its forms: in a panel of its own, or as a step of the checklist. */
export function TokenContent(props: TokenProps & Pick<RollProps, 'within' | 'look'>): JSX.Element {
  const { now, token, oldToken, newToken, otherTokens: _, within, look, ...again } = props
  return (
    <>
      {newToken !== null && <ShownToken token={newToken} />}
      {token !== null && <TokenFacts now={now} token={token} />}
      {oldToken !== null && <OldTokenFacts now={now} oldToken={oldToken} />}
      {token === null ? (
        <Form action="/settings/token" within={within}>
          <PasswordField id="token-password" {...again} />
          <button class="primary" type="submit">
            Generate token
          </button>
        </Form>
      ) : (
        <RollToken
          {...again}
          action="/settings/token"
          within={within}
          hasOldToken={oldToken !== null}
          look={look}
        />
      )}
    </>
  )
}

export function TokenFacts({ now, token }: { now: Date; token: CurrentToken }): JSX.Element {
  return (
    <p class="hint">
      <code safe>{`ship_…${token.lastFour}`}</code> · created <Age then={token.createdAt} now={now} /> ·{' '}
      <LastUse lastUsedAt={token.lastUsedAt} from={token.lastUsedFrom} now={now} />
      {token.endsOn !== null && <End on={token.endsOn} now={now} />}
    </p>
  )
}

type UseProps = { lastUsedAt: Date | null; from?: string | null; now: Date }

/** When a secret was last used, and from where if that is known. */
export function LastUse({ lastUsedAt, from = null, now }: UseProps): JSX.Element {
  if (lastUsedAt === null) return <>never used</>
  return (
    <>
      last used <Age then={lastUsedAt} now={now} />
      {from !== null && (
        <>
          {' '}
          from <code safe>{from}</code>
        </>
      )}
    </>
  )
}

/** The last day of a token, which stands out from two weeks before. */
function End({ on, now }: { on: string; now: Date }): JSX.Element {
  const day = dayOf(on) ?? 0
  const left = day - utcDayOf(now)
  const words = `${left < 0 ? 'ended' : 'ends'} on ${dayInWords(startOfDay(day))}`
  return <> · {left <= warnedDays ? <strong safe>{words}</strong> : <span safe>{words}</span>}</>
}

export function OldTokenFacts({ now, oldToken }: { now: Date; oldToken: OldToken }): JSX.Element {
  const { lastFour, expiresAt, lastUsedAt, usedSinceRoll } = oldToken
  return (
    <p class="old-token">
      The old token <code safe>{`ship_…${lastFour}`}</code> works until <Instant instant={expiresAt} />.{' '}
      {usedSinceRoll && lastUsedAt !== null ? (
        <strong>
          Something still uses it: it was last used <Age then={lastUsedAt} now={now} />.
        </strong>
      ) : (
        <>Nothing has used it since the roll.</>
      )}
    </p>
  )
}

/** A new token, which is shown once. */
export function ShownToken({ token }: { token: string }): JSX.Element {
  return (
    <ShownOnce id="new-token" secret={token} what="token">
      <Snippet
        id="new-token-export"
        label="Run this first, in your terminal"
        code={`export SHIPFEED_TOKEN=${token}`}
      />
    </ShownOnce>
  )
}

type ShownProps = PropsWithChildren<{ id: string; secret: string; what: 'token' | 'read key' }>

/** A new secret in a field, with its button to copy it. */
export function ShownOnce({ id, secret, what, children }: ShownProps): JSX.Element {
  return (
    <div class="field new-token">
      <label for={id} safe>{`Your new ${what}. Copy it now: it is not shown again.`}</label>
      <div class="copied-from">
        <input id={id} value={secret} readonly autocomplete="off" spellcheck="false" autofocus />
        <CopyButton of={id} what={`the ${what}`} />
      </div>
      {children}
    </div>
  )
}

type RollProps = PasswordAgain & {
  action: string
  /** The id of the part of the page that the answer replaces. */
  within: string
  /** Makes the ids of this form unique on its page. */
  ids?: string
  /** The name of the token, if the page has several. */
  name?: string
  hasOldToken: boolean
  look: 'danger' | 'ghost' | ''
}

/** Rolls the token in two steps: a button opens an explanation and a choice, and a second button confirms. */
export function RollToken(props: PropsWithChildren<RollProps>): JSX.Element {
  const { action, ids = '', name, hasOldToken, look, within, children, ...again } = props
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
        {hasOldToken && <p class="hint">The token that you rolled before stops working in either case.</p>}
        {children}
        <PasswordField id={`token-password${ids}`} {...again} />
        <button class="danger" type="submit">
          Roll it now
        </button>
      </Form>
    </details>
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
