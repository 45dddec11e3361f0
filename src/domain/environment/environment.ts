import { caselessKey } from '../field-parsing.ts'
import { textBounds } from '../text-bounds.ts'

export const environmentForm = new RegExp(`^[A-Za-z0-9._/-]{1,${textBounds.environment}}$`)
export const environmentRule = `1 to ${textBounds.environment} characters from A-Z, a-z, 0-9 and . _ / -`

/** Whether a text may name an environment. */
export function isEnvironment(text: string): boolean {
  return environmentForm.test(text)
}

/** The form in which environments are compared. */
export function environmentKey(environment: string): string {
  return caselessKey(environment)
}
