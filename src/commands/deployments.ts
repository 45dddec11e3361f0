import { dismissReports, listReports, type StoredAbuseReport } from '../data/abuse-reports.ts'
import { findPosted, withdrawDeployment } from '../data/deployments.ts'
import { areLinksUnread, pruneDeployments } from '../data/upkeep/deployment-pruning.ts'
import type { Db } from '../database/db.ts'
import type { Deployment } from '../domain/deployment.ts'
import { headlineOf } from '../domain/message/headline.ts'
import { plainTitle } from '../domain/message/headline-pieces.ts'
import { dateOf, dayOf, startOfDay, timestampOf, utcDayOf } from '../domain/time.ts'
import { type Command, CommandRefused, Misused, program } from './command.ts'

export const withdrawCommand: Command<Named> = {
  name: 'withdraw',
  formerName: 'hide',
  summary: 'permanently delete a deployment, as its poster can',
  usage: `${program} withdraw <id, username/id, or the address of its page> [--yes]

For example: ${program} withdraw ada/412`,
  read: namedIn,
  async question(db, named) {
    const { id, poster, message } = await findNamedDeployment(db, named)
    return `Permanently delete deployment ${id} of "${poster.username}" (${poster.name}), “${shownTitle(message)}”?`
  },
  async withDatabase({ db, output }, named) {
    const { id, poster, message, deployedAt } = await findNamedDeployment(db, named)
    if (!(await withdrawDeployment(db, { userId: poster.id, id }))) throw new CommandRefused(gone(named))
    await output(`Deleted deployment ${id} of "${poster.username}" (${poster.name}), announced at ${timestampOf(deployedAt)}:
${shownTitle(message)}\n`)
  },
}

export const reportsCommand: Command = {
  name: 'reports',
  summary: 'list the deployments that readers reported, with REPORTS=on',
  usage: `${program} reports

Each report, the oldest first: when it was sent, the reason, the deployment, its title, and what the reader wrote.
\`${program} withdraw <username/id>\` withdraws the deployment and with it its reports, and
\`${program} dismiss-report <username/id>\` deletes only its reports.`,
  async withDatabase({ db, output }) {
    let isNone = true
    for await (const reports of listReports(db)) {
      isNone = false
      await output(reports.map(linesOf).join(''))
    }
    if (isNone) await output('No reports.\n')
  },
}

function linesOf({ reportedAt, reason, username, deploymentId, message, text }: StoredAbuseReport): string {
  const line = `${timestampOf(reportedAt)}  ${reason.padEnd(7)}  ${username}/${deploymentId}  ${shownTitle(message)}\n`
  return text === null ? line : `${line}    “${text}”\n`
}

export const dismissReportCommand: Command<Named> = {
  name: 'dismiss-report',
  summary: 'delete the reports of a deployment, which stays',
  usage: `${program} dismiss-report <id, username/id, or the address of its page>

For example: ${program} dismiss-report ada/412`,
  read: namedIn,
  async withDatabase({ db, output }, named) {
    const { id, poster, message } = await findNamedDeployment(db, named)
    const count = await dismissReports(db, id)
    if (count === 0)
      throw new CommandRefused(`there is no report of deployment ${id} of "${poster.username}"`)
    await output(
      `Deleted the reports of deployment ${id} of "${poster.username}" (${count}):\n${shownTitle(message)}\n`,
    )
  },
}

type Named = { readonly id: number; readonly username: string | null }

/** The one deployment that a command takes. */
function namedIn([typed = '', ...more]: readonly string[]): Named {
  const path = URL.parse(typed)?.pathname ?? typed
  const [, username = null, digits] = /^(?:(?:.*\/)?@?([^/]+)\/)?(-?\d{1,15})$/.exec(path) ?? []
  if (digits !== undefined && more.length === 0) {
    return { id: Number(digits), username: username?.toLowerCase() ?? null }
  }
  throw new Misused('give one deployment by its id or its page, such as 412 or ada/412')
}

/** Throws CommandRefused if it is not there. */
async function findNamedDeployment(db: Db, named: Named): Promise<Deployment> {
  const found = await findPosted(db, named.id)
  if (found !== null && (named.username ?? found.poster.username) === found.poster.username) return found
  throw new CommandRefused(gone(named))
}

function gone({ id, username }: Named): string {
  const whose = username === null ? '' : ` of "${username}"`
  return `there is no deployment ${id}${whose}: it may have been withdrawn`
}

/** The headline that pages show, by which the operator recognizes the deployment. */
function shownTitle(message: string): string {
  const characters = [...plainTitle(headlineOf(message))]
  return characters.length > longestTitle
    ? `${characters.slice(0, longestTitle).join('')}…`
    : characters.join('')
}

const longestTitle = 100

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
