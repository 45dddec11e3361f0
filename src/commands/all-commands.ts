import {
  accountCommand,
  deleteAccountCommand,
  passwordCommand,
  signOutCommand,
  usersCommand,
} from './accounts.ts'
import { checkCommand } from './check.ts'
import type { Command } from './command.ts'
import { dumpCommand, restoreCommand } from './dump.ts'
import { healthcheckCommand } from './healthcheck.ts'
import { pruneCommand } from './prune.ts'
import { dismissReportCommand, reportsCommand } from './reports.ts'
import { seedCommand } from './seed.ts'
import { pauseWebhookCommand, webhooksCommand } from './webhooks.ts'
import { withdrawCommand } from './withdraw.ts'

/** All commands except `serve` and `help`, in the order in which `help` lists them. */
export const commands: readonly Command[] = [
  usersCommand,
  passwordCommand,
  accountCommand,
  signOutCommand,
  deleteAccountCommand,
  withdrawCommand,
  reportsCommand,
  dismissReportCommand,
  webhooksCommand,
  pauseWebhookCommand,
  pruneCommand,
  dumpCommand,
  restoreCommand,
  checkCommand,
  seedCommand,
  healthcheckCommand,
]
