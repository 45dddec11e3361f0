import { check } from './check.ts'
import { close } from './close.ts'
import type { Command } from './command.ts'
import { dump } from './dump.ts'
import { healthcheck } from './healthcheck.ts'
import { hide } from './hide.ts'
import { account, password } from './password-link.ts'
import { prune } from './prune.ts'
import { restore } from './restore.ts'
import { seedCommand } from './seed.ts'

/** Every command besides `serve` and `help`, as `help` lists them. */
export const commands: readonly Command[] = [
  password,
  account,
  close,
  hide,
  prune,
  dump,
  restore,
  check,
  seedCommand,
  healthcheck,
]
