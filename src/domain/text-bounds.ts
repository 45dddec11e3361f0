/**
 * The longest text of each kind, in characters. Announcements and passwords are held to the same number of bytes, too
 * (announcement/announcement.ts, account/password.ts). Every text is held to its bound where it is read, before any
 * expression sees it.
 */
export const textBounds = {
  message: 4_096,
  link: 2_048,
  environment: 64,
  version: 128,
  project: 100,
  /** Of who pressed the button. */
  actor: 60,
  /** Of an announcement, an event or an item of history. */
  key: 255,
  username: 39,
  displayName: 60,
  password: 1_024,
  tokenName: 40,
  /** Of a search. */
  question: 500,
  /** What a reader writes about a deployment. */
  report: 500,
  /** In the form of a publisher. */
  pipelineName: 255,
  /** In an identity token. */
  claim: 500,
  /** Of the service that a webhook posts to. */
  serviceToken: 500,
  /** Of an environment, a workflow or a branch, as a forge sends it. */
  forgeName: 255,
  /** What a browser says of itself, as it is kept. */
  userAgent: 255,
  /** What the service itself writes, such as a reason or a key. */
  told: 4_096,
  /** Of the messages of webhooks that are kept. */
  delivery: 131_072,
} as const

export type TextKind = keyof typeof textBounds

/** Whether a text is longer than its kind may be. Its length is in code points. */
export function isTooLong(text: string, kind: TextKind): boolean {
  const max = textBounds[kind]
  // A character has one or two code units, so few texts need to be counted.
  return text.length > max && (text.length > 2 * max || [...text].length > max)
}

/** The reason to refuse a text that is too long. */
export function lengthProblems(text: string, kind: TextKind): readonly string[] {
  return isTooLong(text, kind) ? [`must be at most ${textBounds[kind]} characters`] : []
}
