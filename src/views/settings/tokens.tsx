import { Html } from '@elysiajs/html'
import { maxTokens } from '../../domain/account/token.ts'
import { type TokenRight, tokenRights } from '../../domain/account/token-rights.ts'
import { type Restriction, restrictionInWords } from '../../domain/restriction.ts'
import { Layout } from '../page/layout.tsx'
import { Form, Notice } from '../parts/form.tsx'
import { BoundsFields, Choice, type FormState, ReasonList, TextField } from '../parts/form-fields.tsx'
import { escaped } from '../parts/markup.ts'
import { Panel } from '../parts/panel.tsx'
import { Instant } from '../parts/time-element.tsx'
import { type GuardedForm, type PanelProps, PasswordField } from './account.tsx'
import { OldTokenFacts, RollToken, ShownToken, TokenFacts, type TokenRow } from './token.tsx'

type ListedToken = TokenRow &
  Restriction & { readonly id: number; readonly name: string; readonly may: readonly TokenRight[] }

/** A secret that still works, though its token was ended by version 1.0.0. */
type LeftToken = Pick<ListedToken, 'id' | 'name' | 'lastFour'> & { readonly expiresAt: Date }

type Props = Omit<PanelProps, 'form'> & {
  tokens: readonly ListedToken[]
  left: readonly LeftToken[]
  newToken: { readonly secret: string; readonly name: string } | null
  /** The last targets of the viewer. */
  targets: readonly string[]
  /** The form that was refused: of the token with this id, or of a new one. */
  refused: (FormState & { readonly of: number | 'new' }) | null
}

const within = 'tokens'

export function TokensPage(props: Props): JSX.Element {
  const { site, viewer, now, tokens, left, newToken, targets, notice, refused, asksPassword } = props
  const guarded = (of: number | 'new', typed: FormState['typed']): GuardedForm => ({
    ...{ viewer, asksPassword },
    form: refused?.of === of ? refused : { typed, reasons: {} },
  })
  return (
    <Layout site={site} viewer={viewer} title="Tokens" current="settings">
      <h1>Tokens</h1>
      <p class="hint">
        Give each pipeline a token of its own. If a token gets into the wrong hands, you can end it, and all
        others still work. <a href="/settings">All settings</a>
      </p>
      <div id={within}>
        <Panel id="own-tokens" title="Your tokens">
          {newToken !== null && <ShownToken token={newToken.secret} name={newToken.name} />}
          <Notice text={notice} />
          {tokens.length + left.length === 0 ? (
            <p class="hint">No tokens yet.</p>
          ) : (
            <ul class="tokens">
              {tokens.map((token) => (
                <TokenItem {...guarded(token.id, {})} {...{ token, now }} />
              ))}
              {left.map((token) => (
                <LeftItem token={token} />
              ))}
            </ul>
          )}
        </Panel>
        <AddPanel {...guarded('new', { announce: 'on' })} {...{ site, targets }} />
      </div>
    </Layout>
  )
}

type ItemProps = GuardedForm & { token: ListedToken; now: Date }

function TokenItem({ token, now, ...guarded }: ItemProps): JSX.Element {
  const form = { ...guarded.form, typed: { ends: token.endsOn ?? '' } }
  return (
    <li class="stack" id={`token-${token.id}`}>
      <h3 safe>{token.name}</h3>
      <TokenFacts now={now} token={token} />
      <p class="hint">{escaped(allowanceInWords(token))}</p>
      <OldTokenFacts now={now} token={token} />
      <div class="token-actions">
        <RollToken {...guarded} token={token} listed={token} within={within} look="">
          <TextField {...lastDay} form={form} id={`ends-${token.id}`} />
        </RollToken>
        <EndToken token={token} />
      </div>
    </li>
  )
}

/** "Announce deployments · only github.com/ada/engine · only to production" */
function allowanceInWords(token: ListedToken): string {
  return [...token.may.map((right) => tokenRights[right].label), ...restrictionInWords(token)].join(' · ')
}

/** Ends a token in two steps: a button opens an explanation, and a second one confirms. */
function EndToken({ token: { id, name } }: { token: Pick<ListedToken, 'id' | 'name'> }): JSX.Element {
  return (
    <details class="roll">
      <summary class="button">
        End token<span class="unseen" safe>{` ${name}`}</span>
      </summary>
      <Form action={`/settings/tokens/${id}/end`} within={within} button="End it now" look="danger">
        <p class="hint">It stops working at once. Your other tokens still work, and your deployments stay.</p>
      </Form>
    </details>
  )
}

function LeftItem({ token }: { token: LeftToken }): JSX.Element {
  return (
    <li class="stack" id={`token-${token.id}`}>
      <h3 safe>{token.name}</h3>
      <p class="old-token">
        <code safe>{`ship_…${token.lastFour}`}</code> was rolled, and works until{' '}
        <Instant instant={token.expiresAt} />.
      </p>
      <EndToken token={token} />
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

function AddPanel({ site, targets, ...guarded }: GuardedForm & Pick<Props, 'site' | 'targets'>): JSX.Element {
  const { form } = guarded
  return (
    <Panel id="add-token" title="Add a token" hint={`Up to ${maxTokens}.`}>
      <Form action="/settings/tokens" within={within} button="Add token" look="primary">
        <TextField form={form} name="name" label="Name" hint="What uses it, such as: engine on GitHub" />
        <fieldset class="choices">
          <legend>It may</legend>
          {Object.entries(tokenRights)
            .filter(([right]) => right !== 'read' || site.membersOnly)
            .map(([right, { label }]) => (
              <Choice form={form} name={right} label={label} />
            ))}
          <ReasonList id="may-reasons" reasons={form.reasons.may ?? []} />
        </fieldset>
        <BoundsFields form={form} targets={targets} note=". Each call then needs a link to one of them." />
        <TextField {...lastDay} form={form} />
        <PasswordField id="token-password" {...guarded} />
      </Form>
    </Panel>
  )
}
