import { Html } from '@elysiajs/html'
import { Panel } from '../parts/panel.tsx'
import { CopyButton, Snippet } from '../parts/snippet.tsx'
import { Age, Instant } from '../parts/time.tsx'
import { GenerateToken, type PasswordAgain, RollToken } from './token-forms.tsx'

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

export type TokenProps = PasswordAgain & {
  now: Date
  token: Token | null
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
  /** The id of the part of the page that a form of it replaces. */
  within: string
}

export function TokenContent({ now, token, oldToken, newToken, ...form }: ContentProps): JSX.Element {
  return (
    <>
      {newToken !== null && <NewToken newToken={newToken} />}
      {token !== null && <TokenFacts now={now} token={token} />}
      {oldToken !== null && <OldTokenFacts now={now} oldToken={oldToken} />}
      {token === null ? <GenerateToken {...form} /> : <RollToken hasOldToken={oldToken !== null} {...form} />}
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
        label="For the commands below, in this terminal"
        code={`export SHIPFEED_TOKEN=${newToken}`}
      />
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
