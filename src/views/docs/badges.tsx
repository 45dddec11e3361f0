import { Html } from '@elysiajs/html'
import { defaultChoice } from '../../badge/badge.ts'
import { type BadgeStyle, badgeStyles } from '../../badge/styles.ts'
import { type Freshness, freshnessBounds } from '../../domain/freshness.ts'
import { durationInWords } from '../../domain/time.ts'
import { BadgeImage } from '../badge/image.tsx'
import { badgeAddress } from '../badge/snippets.ts'

const conditions: readonly (readonly [status: Freshness, condition: string])[] = [
  ...freshnessBounds.map(([limit, status]) => [status, `up to ${durationInWords(limit)} ago`] as const),
  ['Stale', 'longer ago'],
  ['Inactive', 'none'],
]

/** The table of states: each badge and what it says about the latest deployment. */
export function BadgeStates({ picture }: { picture: BadgePicture }): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Badge</th>
          <th scope="col">Latest deployment</th>
        </tr>
      </thead>
      <tbody>
        {conditions.map(([status, condition]) => (
          <tr>
            <th scope="row">
              <StateBadge picture={picture} status={status} style="standard" alt={status} />
            </th>
            <td safe>{condition}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function OwnBadge({ username }: { username: string }): JSX.Element {
  return (
    <>
      <p>Yours, at this moment, in its three styles:</p>
      <p class="badges">
        {badgeStyles.map((style) => (
          <BadgeImage
            address={badgeAddress({ ...defaultChoice, username, style, target: null })}
            alt={`Your badge, ${style}`}
            choice={{ ...defaultChoice, style }}
            facts={{ status: 'Fresh', age: null }}
          />
        ))}
      </p>
    </>
  )
}

/** A badge of a state, or of environments. */
export type BadgeExample = Freshness | 'environments'

/** Returns the address of an example badge. */
export type BadgePicture = (example: BadgeExample, style: BadgeStyle) => string

export function EnvironmentsBadge({ picture }: { picture: BadgePicture }): JSX.Element {
  const choice = { ...defaultChoice, show: 'environments' } as const
  return (
    <BadgeImage
      address={picture('environments', choice.style)}
      alt="staging v3.2, production v3.0"
      choice={choice}
    />
  )
}

type StateProps = { picture: BadgePicture; status: Freshness; style: BadgeStyle; alt: string }

export function StateBadge({ picture, status, style, alt }: StateProps): JSX.Element {
  const shown = { choice: { ...defaultChoice, style }, facts: { status, age: null } }
  return <BadgeImage address={picture(status, style)} alt={alt} {...shown} />
}
