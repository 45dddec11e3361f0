/** What a search has found in the texts of deployments, of which at least one word was asked for. */
export type Marks = {
  /** Marks it in the text of our own markup. */
  readonly mark: (markup: string) => string
  /** Whether a text has something to mark. */
  readonly areIn: (text: string) => boolean
}
