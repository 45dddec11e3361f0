import type { Capability } from '../capability.ts'
import {
  accountCommand,
  deleteAccountCommand,
  endAccessCommand,
  passwordCommand,
  signOutCommand,
  usersCommand,
} from './accounts.ts'
import { forgetActorCommand } from './actors.ts'
import { checkCommand } from './check.ts'
import { type Command, program } from './command.ts'
import { withdrawCommand } from './deployments.ts'
import { healthcheckCommand } from './healthcheck.ts'
import { licensesCommand } from './licenses.ts'

/** All commands except `serve` and `help`, in the order in which `help` lists them. */
export function commandsOf(capabilities: readonly Capability[]): readonly Command[] {
  return [
    ...[usersCommand, passwordCommand, accountCommand, signOutCommand, endAccessCommand],
    ...[deleteAccountCommand, withdrawCommand, forgetActorCommand],
    ...capabilities.flatMap(({ commands = [] }) => commands),
    ...[checkCommand(capabilities), healthcheckCommand, licensesCommand],
  ]
}

/** The text of `help`. */
export function helpOf(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `Usage: ${program} <command>

${lines.join('\n')}

\`${program} <command> --help\` explains one command, and \`${program} version\` names the release.
\`${program} help settings\` lists the settings, which are environment variables; \`help log\`, \`help metrics\` and
\`help alerts\` list what to watch.`
}
