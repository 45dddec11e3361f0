import { oneLineProblems } from '../field-parsing.ts'

/** The reasons to refuse the name of who pressed the button. An e-mail address would be public for ever. */
export function actorProblems(name: string): readonly string[] {
  const problems = oneLineProblems(name, 'actor')
  if (problems.length > 0 || !/[^\s@]@[^\s@]/.test(name)) return problems
  return ['must be a name, not an e-mail address']
}

/**
 * The name that a forge or a CI gives for who pressed the button, as an announcement has it; undefined for a bot, an
 * e-mail address, and whatever else is no name.
 */
export function actorFrom(name: unknown): string | undefined {
  return typeof name !== 'string' || actorProblems(name).length > 0 || isBotName(name) ? undefined : name
}

/** The names of programs. GitLab gives each access token of a project or a group an account such as project_7_bot_1f. */
const botName =
  /\[bot\]|^(?:dependabot|renovate|weblate)\b|^(?:forgejo|gitea)-actions$|^(?:project|group)_\d+_bot/i

/** Whether an account of this name is a program. */
export function isBotName(name: string): boolean {
  return botName.test(name)
}
