import {
  accountCommand,
  deleteAccountCommand,
  endAccessCommand,
  passwordCommand,
  signOutCommand,
  usersCommand,
} from './accounts.ts'
import { checkCommand } from './check.ts'
import { type Command, program } from './command.ts'
import { dismissReportCommand, pruneCommand, reportsCommand, withdrawCommand } from './deployments.ts'
import { dumpCommand, restoreCommand } from './dump.ts'
import { healthcheckCommand } from './healthcheck.ts'
import { licensesCommand } from './licenses.ts'
import { seedCommand } from './seed.ts'
import { pauseWebhookCommand, resumeWebhookCommand, webhooksCommand } from './webhooks.ts'

/** All commands except `serve` and `help`, in the order in which `help` lists them. */
export const commands: readonly Command[] = [
  ...[usersCommand, passwordCommand, accountCommand, signOutCommand, endAccessCommand],
  deleteAccountCommand,
  ...[withdrawCommand, reportsCommand, dismissReportCommand, webhooksCommand, pauseWebhookCommand],
  resumeWebhookCommand,
  ...[pruneCommand, dumpCommand, restoreCommand, checkCommand, seedCommand, healthcheckCommand],
  licensesCommand,
]

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
