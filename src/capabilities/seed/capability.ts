import type { Capability } from '../../capability.ts'
import { seedCommand } from './commands.ts'

/** Fills an empty database with deployments to look at. */
export const seedCapability: Capability = {
  name: 'seed',
  commands: [seedCommand],
}
