import { hasBidiControl, isBlank, textProblems } from '../text.ts'

/** Who posts: `id` and `name` are what the API's record shows (docs/decisions.md#announce). */
export type User = {
  readonly id: number
  readonly username: string
  readonly name: string
}

const maxCharacters = 60

/**
 * The reasons to refuse a display name, none if it is good: 1 to 60 characters (code points), one line, no
 * control or bidi characters, no more than 4 combining marks in a row, which would paint over what is above
 * it (docs/decisions.md#accounts).
 */
export function displayNameReasons(text: string): string[] {
  if (isBlank(text)) return ["can't be blank"]
  return [
    ...([...text].length > maxCharacters ? [`must be at most ${maxCharacters} characters`] : []),
    ...(/[\t\r\n\u2028\u2029]/.test(text) ? ['must be one line, without tabs'] : []),
    ...(/\p{M}{5}/u.test(text) ? ["can't have more than 4 combining marks on a letter"] : []),
    ...(hasBidiControl(text) ? ["can't contain characters that change the direction of the text"] : []),
    ...textProblems(text),
  ]
}
