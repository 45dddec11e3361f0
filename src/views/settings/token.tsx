import { Html, type PropsWithChildren } from '@elysiajs/html'
import { shownSource } from '../../domain/account/call-source.ts'
import { oldTokenHours, warnedDays } from '../../domain/account/token.ts'
import { dayOf, startOfDay, utcDayOf } from '../../domain/time.ts'
import { dayInWords } from '../parts/dates.ts'
import { Form } from '../parts/form.tsx'
import { Choice, freshForm, isRefused } from '../parts/form-fields.tsx'
import { counted } from '../parts/numbers.ts'
import { Panel } from '../parts/panel.tsx'
import { NewSecret, Snippet } from '../parts/snippet.tsx'
import { Age, Instant } from '../parts/time-element.tsx'
import { type GuardedForm, type PanelProps, PasswordField } from './account.tsx'

export type TokenRow = {
  readonly lastFour: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  /** What names the pipeline that used it last; null if unknown. */
  readonly lastUsedFrom: string | null
  /** The last UTC day on which it works, as 2026-11-02; null for no end. */
  readonly endsOn: string | null
  /** The token that it replaced when it was rolled, if that one still works. */
  readonly old: (Pick<TokenRow, 'lastFour' | 'lastUsedAt'> & { readonly expiresAt: Date }) | null
}

export type TokenProps = PanelProps & { token: TokenRow | null; newToken: string | null; otherTokens: number }

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
  const { now, token, newToken, within } = props
  return (
    <>
      {newToken !== null && <ShownToken token={newToken} />}
      {token === null ? (
        <Form action="/settings/token" within={within} button="Generate token" look="primary">
          <PasswordField id="token-password" {...props} />
        </Form>
      ) : (
        <>
          <TokenFacts now={now} token={token} />
          <OldTokenFacts now={now} token={token} />
          <RollToken {...props} token={token} />
        </>
      )}
    </>
  )
}

type FactsProps = { now: Date; token: TokenRow }

export function TokenFacts({ now, token }: FactsProps): JSX.Element {
  return (
    <p class="hint">
      <code safe>{`ship_…${token.lastFour}`}</code> · created <Age then={token.createdAt} now={now} /> ·{' '}
      <LastUse lastUsedAt={token.lastUsedAt} from={shownSource(token.lastUsedFrom)} now={now} />
      {token.endsOn !== null && <End on={token.endsOn} now={now} />}
    </p>
  )
}

type UseProps = { lastUsedAt: Date | null; from?: string | null; now: Date }

export function LastUse({ lastUsedAt, from = null, now }: UseProps): JSX.Element {
  if (lastUsedAt === null) return 'never used'
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

export function OldTokenFacts({ now, token: { old, createdAt } }: FactsProps): JSX.Element {
  if (old === null) return ''
  return (
    <p class="old-token">
      The old token <code safe>{`ship_…${old.lastFour}`}</code> works until{' '}
      <Instant instant={old.expiresAt} />.{' '}
      {old.lastUsedAt !== null && old.lastUsedAt > createdAt ? (
        <strong>
          Something still uses it: it was last used <Age then={old.lastUsedAt} now={now} />.
        </strong>
      ) : (
        'Nothing has used it since the roll.'
      )}
    </p>
  )
}

type ShownProps = {
  token: string
  /** Its name, if the page lists several. */
  name?: string
}

export function ShownToken({ token, name }: ShownProps): JSX.Element {
  const label = name === undefined ? 'Your new token.' : `Your new token “${name}”.`
  return (
    <NewSecret id="new-token" secret={token} label={label} what="the token" takesFocus>
      <Snippet
        id="new-token-export"
        label={name === undefined ? 'Run this first, in your terminal' : 'To try it in a terminal'}
        code={`export SHIPFEED_TOKEN=${token}`}
      />
    </NewSecret>
  )
}

type RollProps = GuardedForm & {
  token: TokenRow
  /** The id and the name of the token, if the page lists several. */
  listed?: { readonly id: number; readonly name: string }
  within: string
  look: 'danger' | 'ghost' | ''
}

const keepOld = { form: freshForm, name: 'keep_old', type: 'radio' } as const

/** Rolls the token in two steps: a button opens an explanation and a choice, and a second button confirms. */
export function RollToken(props: PropsWithChildren<RollProps>): JSX.Element {
  const { token, listed, look, within, form, children } = props
  const suffix = listed === undefined ? '' : `-${listed.id}`
  return (
    <details class="roll" open={isRefused(form)}>
      <summary class={`button ${look}`}>
        Roll token
        {listed !== undefined && <span class="unseen" safe>{` ${listed.name}`}</span>}
      </summary>
      <Form
        action={listed === undefined ? '/settings/token' : `/settings/tokens/${listed.id}/roll`}
        within={within}
        button="Roll it now"
        look="danger"
      >
        <fieldset class="stack choices">
          <legend>What happens to the current token?</legend>
          <Choice
            {...keepOld}
            {...{ id: `keep-old-${suffix}`, value: '' }}
            label="It stops working at once"
            hint="If others may have seen it."
          />
          <Choice
            {...keepOld}
            {...{ id: `keep-old-${suffix}24h`, value: '24h' }}
            label={`Keep it for ${oldTokenHours} hours`}
            hint="So that you can update your pipelines. This page shows whether anything still uses it."
          />
        </fieldset>
        {token.old !== null && (
          <p class="hint">The token that you rolled before stops working in either case.</p>
        )}
        {children}
        <PasswordField id={`token-password${suffix}`} {...props} />
      </Form>
    </details>
  )
}
