import type { Capability } from '../../capability.ts'
import { dateOf } from '../../domain/time.ts'
import { settingsIn } from '../../settings-reader.ts'
import { pruneCommand } from './commands.ts'
import { pruner } from './store.ts'

const variables = {
  PRUNE_AFTER: {
    from: 1,
    to: 36_500,
    says: 'a number of days: older deployments [are deleted](operations.md#commands), as `prune` does it, soon after a start and once a day',
  },
} as const

/** Deletes old deployments (docs/operations.md#commands). */
export const pruningCapability: Capability = {
  name: 'pruning',
  variables,
  commands: [pruneCommand],
  configure(env) {
    const afterDays = settingsIn(env, variables).wholeNumberOrNull('PRUNE_AFTER')
    if (afterDays === null) return null
    return {
      start({ log }) {
        const work = pruner({
          afterDays,
          onPruned(before, { gone, kept }) {
            const message = `Deleted ${gone} deployments from before ${dateOf(before)}; ${kept} more are kept, because each is the last of its user, target or environment`
            log('pruned', { message })
          },
        })
        // It does its work once a day, and looks this often whether it has yet to be done.
        return { jobs: [{ every: 600, work }] }
      },
    }
  },
}
