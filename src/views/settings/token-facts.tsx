import { Html } from '@elysiajs/html'
import { warnedDays } from '../../domain/account/token.ts'
import { dayOf, startOfDay, utcDayOf } from '../../domain/time.ts'
import { dayInWords } from '../parts/dates.ts'
import { Age, Instant } from '../parts/time-element.tsx'

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

export function TokenFacts({ now, token }: { now: Date; token: CurrentToken }): JSX.Element {
  return (
    <p class="hint">
      <code safe>{`ship_…${token.lastFour}`}</code> · created <Age then={token.createdAt} now={now} /> ·{' '}
      <LastUse token={token} now={now} />
      {token.endsOn !== null && <End on={token.endsOn} now={now} />}
    </p>
  )
}

function LastUse({ token, now }: { token: CurrentToken; now: Date }): JSX.Element {
  const { lastUsedAt, lastUsedFrom } = token
  if (lastUsedAt === null) return <>never used</>
  return (
    <>
      last used <Age then={lastUsedAt} now={now} />
      {lastUsedFrom !== null && (
        <>
          {' '}
          from <code safe>{lastUsedFrom}</code>
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
          Something still uses it: last <Age then={lastUsedAt} now={now} />.
        </strong>
      ) : (
        <>Nothing has used it since the roll.</>
      )}
    </p>
  )
}
