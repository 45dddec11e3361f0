import { areLinksUnread, pruneDeployments, reuseRoom } from '../data/upkeep/pruning.ts'
import { type Command, CommandRefused, program } from './command.ts'

/** `prune --before 2025-01-01`: deletes older deployments, except the last one of each target. */
export const pruneCommand: Command = {
  name: 'prune',
  summary: 'delete the deployments from before a day, except the last one of each target',
  usage: `${program} prune --before <yyyy-mm-dd, UTC> [--dry-run] [--yes]

--dry-run only counts. The last deployment of each user and of each target stays, also in each of their environments,
so that no badge changes.

For example: ${program} prune --before 2025-01-01 --dry-run`,
  prepare(words) {
    const isDryRun = words.includes('--dry-run')
    const day = dayIn(words.filter((word) => word !== '--dry-run'))
    const before = new Date(`${day}T00:00:00Z`)
    return {
      ...(isDryRun ? {} : { question: async () => `Permanently delete the deployments from before ${day}?` }),
      async withDatabase({ db, config, output }) {
        if (await areLinksUnread(db)) {
          throw new CommandRefused(
            'links that an older version recorded are still being read again: try again in a few minutes',
          )
        }
        const { gone, kept } = await pruneDeployments(db, { before, isDryRun })
        if (config.databaseUrl === null && !isDryRun) await reuseRoom(db)
        await output(`${isDryRun ? 'Would delete' : 'Deleted'} ${gone} deployments from before ${day}.
${kept} more are kept, because each is the last of its user, target or environment: no badge changes.\n`)
      },
    }
  },
}

function dayIn(words: readonly string[]): string {
  const [, day = ''] = /^--before[ =](\d{4}-\d\d-\d\d)$/.exec(words.join(' ')) ?? []
  const instant = new Date(`${day}T00:00:00Z`)
  const isDay = !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day)
  if (isDay && instant.getTime() <= Date.now()) return day
  throw new CommandRefused(`give a day in the past. Usage: ${pruneCommand.usage}`)
}
