import type { Command } from './command.ts'
import { healthcheck } from './healthcheck.ts'
import { account, password } from './password-link.ts'
import { seedCommand } from './seed.ts'

/** Every command besides `serve` and `help`, as `help` lists them. */
export const commands: readonly Command[] = [password, account, seedCommand, healthcheck]
