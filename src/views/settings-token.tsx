import { Html } from '@elysiajs/html'
import { Panel } from './panel.tsx'
import { Age, Instant } from './time.tsx'

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

type Props = { now: Date; token: Token | null; oldToken: OldToken | null; newToken: string | null }

const hint = 'Your pipeline sends it as a bearer token. It is shown once; we keep only its hash.'

export function TokenPanel({ now, token, oldToken, newToken }: Props): JSX.Element {
  return (
    <Panel id="token" title="API token" hint={hint}>
      {newToken !== null && <NewToken newToken={newToken} />}
      {token !== null && <TokenFacts now={now} token={token} />}
      {oldToken !== null && <OldTokenFacts now={now} oldToken={oldToken} />}
      {token === null ? <Generate /> : <Roll />}
    </Panel>
  )
}

function NewToken({ newToken }: { newToken: string }): JSX.Element {
  return (
    <div class="field new-token">
      <label for="new-token">Your new token. Copy it now: it is not shown again.</label>
      <input id="new-token" value={newToken} readonly autocomplete="off" spellcheck="false" autofocus />
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

function Generate(): JSX.Element {
  return (
    <form method="post" action="/settings/token">
      <button class="primary" type="submit">
        Generate token
      </button>
    </form>
  )
}

function Roll(): JSX.Element {
  return (
    <form class="actions" method="post" action="/settings/token">
      <button class="danger" type="submit">
        Roll token
      </button>
      <span class="hint">The old token stops working at once.</span>
      <button class="plain link" type="submit" name="keep_old" value="24h">
        Roll, and keep the old one for 24 hours
      </button>
    </form>
  )
}
