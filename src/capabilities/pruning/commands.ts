import { type Command, CommandRefused, Misused, program } from '../../commands/command.ts'
import { dateOf, dayOf, startOfDay, utcDayOf } from '../../domain/time.ts'
import { areLinksUnread, pruneDeployments } from './store.ts'

export const pruneCommand: Command<{ isDryRun: boolean; dayNumber: number }> = {
  name: 'prune',
  summary: 'delete the deployments from before a day, except the last one of each target',
  usage: `${program} prune --before <yyyy-mm-dd, UTC> [--dry-run] [--yes]

--dry-run only counts. The last deployment of each user and of each target stays, and so does the last one to
each of their environments, so that no badge changes.

For example: ${program} prune --before 2025-01-01 --dry-run`,
  read: (words) => ({
    isDryRun: words.includes('--dry-run'),
    dayNumber: dayIn(words.filter((word) => word !== '--dry-run')),
  }),
  async question(_, { isDryRun, dayNumber }) {
    return isDryRun ? null : `Permanently delete the deployments from before ${dateOf(dayNumber)}?`
  },
  async withDatabase({ db, output }, { isDryRun, dayNumber }) {
    if (await areLinksUnread(db)) {
      throw new CommandRefused(
        'links that an older version recorded are still being read again: try again in a few minutes',
      )
    }
    const { gone, kept } = await pruneDeployments(db, { before: startOfDay(dayNumber), isDryRun })
    await output(`${isDryRun ? 'Would delete' : 'Deleted'} ${gone} deployments from before ${dateOf(dayNumber)}.
${kept} more are kept, because each is the last of its user, target or environment: no badge changes.\n`)
  },
}

function dayIn(words: readonly string[]): number {
  const [, date = ''] = /^--before[ =](.*)$/.exec(words.join(' ')) ?? []
  const day = dayOf(date)
  if (day !== null && day <= utcDayOf(new Date())) return day
  throw new Misused('give a day in the past')
}
