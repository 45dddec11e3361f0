import { Html } from '@elysiajs/html'
import { mostTokens } from '../../domain/account/token.ts'
import { type TokenRight, type TokenValues, tokenRights } from '../../domain/account/token-rights.ts'
import type { User } from '../../domain/account/user.ts'
import type { Reasons } from '../../domain/field-parsing.ts'
import type { Restriction } from '../../domain/restriction.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import {
  BoundsFields,
  Form,
  firstInvalid,
  Notice,
  Panel,
  ReasonList,
  TextField,
  Tick,
} from '../parts/panels-and-forms.tsx'
import { Instant } from '../parts/time-element.tsx'
import { type PasswordAgain, PasswordField } from './account.tsx'
import {
  type CurrentToken,
  type OldToken,
  OldTokenFacts,
  RollToken,
  ShownToken,
  TokenFacts,
} from './token.tsx'

/** A token, and the secret from before it was rolled, if that still works. */
export type TokenRow = CurrentToken &
  Restriction & {
    readonly id: number
    readonly name: string
    readonly may: readonly TokenRight[]
    readonly old: OldToken | null
  }

/** A secret that still works, though its token was ended by version 1.0.0. */
export type LeftToken = {
  readonly id: number
  readonly name: string
  readonly lastFour: string
  readonly expiresAt: Date
}

type Props = {
  site: Site
  viewer: User
  now: Date
  tokens: readonly TokenRow[]
  left: readonly LeftToken[]
  newToken: string | null
  notice: string | null
  /** The values that were typed for a new token. */
  typed: TokenValues
  /** The form that was refused, by the id of its token or for a new one, and why. */
  refused: { readonly form: number | 'new'; readonly reasons: Reasons } | null
  asksPassword: boolean
}

/** The id of the part of the page that its forms replace. */
const within = 'tokens'

const fields = ['name', 'targets', 'environments', 'ends', 'password']

export function TokensPage(props: Props): JSX.Element {
  const { site, viewer, now, tokens, left, newToken, notice, typed, refused, asksPassword } = props
  const againFor = (form: number | 'new'): PasswordAgain => {
    const reasons = refused?.form === form ? refused.reasons : {}
    return { viewer, asksPassword, reasons, focused: firstInvalid(fields, reasons) }
  }
  return (
    <Layout site={site} viewer={viewer} title="Tokens" current="settings">
      <h1>Tokens</h1>
      <p class="hint">
        Give each pipeline a token of its own. If a token gets into the wrong hands, you can end it, and all
        others still work. <a href="/settings">All settings</a>
      </p>
      <div id={within} class="panels">
        <Panel id="own-tokens" title="Yours">
          {newToken !== null && <ShownToken token={newToken} />}
          <Notice text={notice} />
          {tokens.length + left.length === 0 ? (
            <p class="hint">None yet.</p>
          ) : (
            <ul class="tokens">
              {tokens.map((token) => (
                <TokenItem token={token} now={now} again={againFor(token.id)} />
              ))}
              {left.map((token) => (
                <LeftItem token={token} />
              ))}
            </ul>
          )}
        </Panel>
        <AddPanel typed={typed} again={againFor('new')} />
      </div>
    </Layout>
  )
}

function TokenItem({ token, now, again }: { token: TokenRow; now: Date; again: PasswordAgain }): JSX.Element {
  const { id, name, old, endsOn } = token
  const at = `/settings/tokens/${id}`
  return (
    <li class="stack" id={`token-${id}`}>
      <h3 safe>{name}</h3>
      <TokenFacts now={now} token={token} />
      <p class="hint" safe>
        {allowanceInWords(token)}
      </p>
      {old !== null && <OldTokenFacts now={now} oldToken={old} />}
      <div class="token-actions">
        <RollToken
          {...again}
          action={`${at}/roll`}
          within={within}
          ids={`-${id}`}
          hasOldToken={old !== null}
          name={name}
          look=""
        >
          <TextField {...lastDay} id={`ends-${id}`} value={endsOn ?? ''} {...again} />
        </RollToken>
        <EndToken at={at} name={name} />
      </div>
    </li>
  )
}

/** "Announce deployments · only github.com/ada/engine · only to production" */
function allowanceInWords({ may, targets, environments }: TokenRow): string {
  return [
    ...may.map((right) => tokenRights[right]),
    ...(targets.length === 0 ? [] : [`only ${targets.join(', ')}`]),
    ...(environments.length === 0 ? [] : [`only to ${environments.join(', ')}`]),
  ].join(' · ')
}

/** Ends a token in two steps: a button opens an explanation, and a second one confirms. */
function EndToken({ at, name }: { at: string; name: string }): JSX.Element {
  return (
    <details class="roll">
      <summary class="button">
        End token<span class="unseen" safe>{` ${name}`}</span>
      </summary>
      <Form action={`${at}/end`} within={within}>
        <p class="hint">It stops working at once. Your other tokens still work, and your deployments stay.</p>
        <button class="danger" type="submit">
          End it now
        </button>
      </Form>
    </details>
  )
}

function LeftItem({ token: { id, name, lastFour, expiresAt } }: { token: LeftToken }): JSX.Element {
  return (
    <li class="stack" id={`token-${id}`}>
      <h3 safe>{name}</h3>
      <p class="old-token">
        <code safe>{`ship_…${lastFour}`}</code> was rolled, and works until <Instant instant={expiresAt} />.
      </p>
      <EndToken at={`/settings/tokens/${id}`} name={name} />
    </li>
  )
}

const lastDay = {
  name: 'ends',
  label: 'Last day (optional)',
  type: 'date',
  hint: 'A day in UTC. Without a last day, the token does not end.',
  isOptional: true,
} as const

function AddPanel({ typed, again }: { typed: TokenValues; again: PasswordAgain }): JSX.Element {
  const { reasons, focused } = again
  const { may: mayReasons = [] } = reasons
  return (
    <Panel id="add-token" title="Add a token" hint={`You can have ${mostTokens}.`}>
      <Form action="/settings/tokens" within={within}>
        <TextField
          name="name"
          label="Name"
          value={typed.name}
          hint="What uses it, such as: engine on GitHub"
          {...{ focused, reasons }}
        />
        <fieldset class="choices">
          <legend>It may</legend>
          {Object.entries(tokenRights).map(([right, label]) => (
            <Tick name={right} label={label} isTicked={typed[right as TokenRight] !== ''} />
          ))}
          {mayReasons.length > 0 && <ReasonList id="may-reasons" reasons={mayReasons} />}
        </fieldset>
        <BoundsFields
          typed={typed}
          note=". Each call then needs a link to one of them."
          {...{ focused, reasons }}
        />
        <TextField {...lastDay} value={typed.ends} {...{ focused, reasons }} />
        <PasswordField id="token-password" {...again} />
        <button class="primary" type="submit">
          Add token
        </button>
      </Form>
    </Panel>
  )
}
