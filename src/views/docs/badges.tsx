import { Html } from '@elysiajs/html'
import { defaultChoice } from '../../badge/badge.ts'
import { type BadgeStyle, badgeStyles } from '../../badge/styles.ts'
import { type Freshness, freshnessBounds, freshnesses } from '../../domain/freshness.ts'
import { durationInWords } from '../../domain/time.ts'
import { BadgeImage, defaultEnvironments } from '../badge/image.tsx'
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
              <ExampleBadge picture={picture} example={status} alt={status} />
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

/** Each state, and environments. */
export const badgeExamples = [...freshnesses, 'environments'] as const
export type BadgeExample = (typeof badgeExamples)[number]

/** Returns the address of an example badge. */
export type BadgePicture = (example: BadgeExample, style: BadgeStyle) => string

/** What such a badge shows, and how. */
export function exampleOf(example: BadgeExample, style: BadgeStyle) {
  return example === 'environments'
    ? { choice: { ...defaultChoice, style, show: example }, facts: defaultEnvironments }
    : { choice: { ...defaultChoice, style }, facts: { status: example, age: null } }
}

type ExampleProps = { picture: BadgePicture; example: BadgeExample; style?: BadgeStyle; alt: string }

export function ExampleBadge({ picture, example, style = 'standard', alt }: ExampleProps): JSX.Element {
  return <BadgeImage address={picture(example, style)} alt={alt} {...exampleOf(example, style)} />
}
