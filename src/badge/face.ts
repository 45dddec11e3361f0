import type { BadgeChoice, BadgeShow } from './choice.ts'
import { statusColours } from './palette.ts'
import { type BadgeStatus, words } from './status.ts'

/** How old the latest deployment is: "3 hours ago" for the name of a badge, "3 h ago" for its face. */
export type Age = { readonly words: string; readonly short: string }

/** What a badge tells; `age` is null if there is no deployment. */
export type BadgeFacts = { readonly status: BadgeStatus; readonly age: Age | null }

/** What is seen of a badge: its two words, and the colour of its state. */
export type Face = { readonly label: string; readonly word: string; readonly colour: string }

export function faceOf({ status, age }: BadgeFacts, { show, label }: BadgeChoice): Face {
  return {
    label,
    word: show === 'age' && age !== null ? age.short : wordsWithoutAge[show][status],
    colour: statusColours[status],
  }
}

const wordsWithoutAge: Record<BadgeShow, Record<BadgeStatus, string>> = {
  state: words,
  age: { ...words, Inactive: 'never' },
}
