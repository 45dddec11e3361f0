import { type Command, CommandRefused, program } from '../../commands/command.ts'
import {
  findNamedDeployment,
  type NamedDeployment,
  namedIn,
  shownTitle,
} from '../../commands/named-deployment.ts'
import { timestampOf } from '../../domain/time.ts'
import { dismissReports, listReports, type ReportRow } from './store.ts'

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

function linesOf({ reported_at_ms, reason, username, deployment_id, message, text }: ReportRow): string {
  const at = timestampOf(new Date(reported_at_ms))
  const line = `${at}  ${reason.padEnd(7)}  ${username}/${deployment_id}  ${shownTitle(message)}\n`
  return text === null ? line : `${line}    “${text}”\n`
}

export const dismissReportCommand: Command<NamedDeployment> = {
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
