/** The words of a list that is written as a text, over one line or several. */
export function wordList(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}
