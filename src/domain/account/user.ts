import { oneLineProblems } from '../text.ts'

/** Who posts: `id` and `name` are what the API's record shows (docs/decisions.md#announce). */
export type User = {
  readonly id: number
  readonly username: string
  readonly name: string
}

const maxCharacters = 60

/** The reasons to refuse a display name, none if it is good (docs/decisions.md#accounts). */
export function displayNameReasons(text: string): string[] {
  return oneLineProblems(text, maxCharacters)
}
