import { oneLineProblems } from '../text.ts'

/** What tokens may do, as pages name it. */
export const tokenRights = {
  announce: 'Announce deployments',
  history: 'Add and remove history',
  withdraw: 'Withdraw deployments',
  read: 'Read, if only members may read here',
} as const

export type TokenRight = keyof typeof tokenRights

/** Whether a text is one of these. */
export function isTokenRight(text: unknown): text is TokenRight {
  return typeof text === 'string' && Object.hasOwn(tokenRights, text)
}

const maxTokenNameCharacters = 40

/** The reasons to refuse the name of a token, empty if it is valid: as for a display name, but shorter. */
export function tokenNameReasons(text: string): string[] {
  return oneLineProblems(text, maxTokenNameCharacters)
}
