import {
  type Command,
  CommandRefused,
  type Context,
  Misused,
  program,
  tableRow,
} from '../../commands/command.ts'
import { type Finding, right, wrong } from '../../commands/finding.ts'
import { durationInWords } from '../../domain/time.ts'
import { shownAddress } from './address.ts'
import { changeForOperator, listAllWebhooks, type OperatedWebhook } from './operation.ts'
import { pausedByOperator } from './rules.ts'

export const webhooksCommand: Command = {
  name: 'webhooks',
  summary: 'list the webhooks, with their owners and what they are doing',
  usage: `${program} webhooks

One line per webhook: its id, its owner, its format, what it is doing, for how long its oldest event has waited, and its
address. Of a secret address, only the host and the last four characters are shown.`,
  async withDatabase({ db, output }) {
    const webhooks = await db.readPrimary(listAllWebhooks)
    const rows = webhooks.map((webhook) => [
      String(webhook.id),
      webhook.username,
      webhook.format,
      doingOf(webhook),
      webhook.waitingSeconds === null ? '-' : waitOf(webhook.waitingSeconds),
      shownAddress(webhook),
    ])
    const lines = [['id', 'owner', 'format', 'state', 'waiting', 'address'], ...rows]
    await output(lines.map((cells) => tableRow(widths, cells)).join(''))
  },
}

const widths = [8, 24, 8, 8, 10]

function doingOf({ pausedBecause, attempts, waitingSeconds, isOverdue }: OperatedWebhook): string {
  if (pausedBecause !== null) return 'paused'
  if (attempts > 0) return 'failing'
  if (isOverdue) return 'stuck'
  return waitingSeconds === null ? 'ok' : 'sending'
}

export const pauseWebhookCommand: Command<string> = {
  name: 'pause-webhook',
  summary: 'pause a webhook, which its owner can then not use',
  usage: `${program} pause-webhook <id>

Its owner can neither resume nor delete it, nor add another one to its host, until you resume it.
\`${program} webhooks\` lists the ids. For example: ${program} pause-webhook 12`,
  read: onlyId,
  async withDatabase(context, id) {
    const { what, pausedBecause } = await changed(context, id, 'pause')
    await context.output(
      pausedBecause === pausedByOperator
        ? `${what} is paused already: ${pausedBecause}.\n`
        : `${what} is paused. Its owner sees that you paused it, and cannot resume it: \`resume-webhook\` does.\n`,
    )
  },
}

export const resumeWebhookCommand: Command<string> = {
  name: 'resume-webhook',
  summary: 'end the pause of a webhook that you paused',
  usage: `${program} resume-webhook <id>

It goes on where it stopped. For example: ${program} resume-webhook 12`,
  read: onlyId,
  async withDatabase(context, id) {
    const { what, pausedBecause } = await changed(context, id, 'resume')
    if (pausedBecause !== pausedByOperator) {
      const state = pausedBecause === null ? 'is not paused' : `is paused, but not by you: ${pausedBecause}`
      throw new CommandRefused(`${what} ${state}`)
    }
    await context.output(`${what} goes on where it stopped.\n`)
  },
}

function onlyId([word = '', ...more]: readonly string[]): string {
  if (!/^\d{1,15}$/.test(word) || more.length > 0) throw new Misused('give one webhook by its id')
  return word
}

/** Throws CommandRefused if there is no such webhook. */
async function changed({ db }: Context, id: string, change: 'pause' | 'resume') {
  const before = await changeForOperator(db, Number(id), change)
  if (before === null) throw new CommandRefused(`there is no webhook ${id}`)
  const what = `Webhook ${id} of "${before.username}" to ${shownAddress(before)}`
  return { what, pausedBecause: before.pausedBecause }
}

/** What `check` says of the webhooks, and whether it is all right. `reach` is the WEBHOOKS of the service. */
export function webhookFinding(webhooks: readonly OperatedWebhook[], reach: string): Finding {
  const going = webhooks.filter(({ pausedBecause }) => pausedBecause === null)
  if (reach === 'off') {
    const idle =
      going.length === 0 ? '' : `, and webhooks wait (${going.length}): set WEBHOOKS, or pause them`
    return right('webhooks', `WEBHOOKS is off${idle}`)
  }
  const stuck = going.filter(({ isOverdue }) => isOverdue)
  if (stuck.length > 0) {
    const advice = 'start a process with WEBHOOKS, and look for `webhooks_failed` in its log'
    return wrong('webhooks', `nothing is sent to ${namesOf(stuck)}: ${advice}`)
  }
  const failing = going.filter(({ attempts }) => attempts > 0)
  const failure =
    failing.length === 0 ? '' : `; the receivers of ${namesOf(failing)} fail, and their owners see why`
  const paused = webhooks.length - going.length
  return right('webhooks', `${going.length} send, ${paused} are paused${failure}`)
}

const maxNamed = 5

function namesOf(webhooks: readonly OperatedWebhook[]): string {
  const named = webhooks.slice(0, maxNamed).map(({ id, username, waitingSeconds }) => {
    return `${id} of ${username} (for ${waitOf(waitingSeconds ?? 0)})`
  })
  const more = webhooks.length - named.length
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function waitOf(seconds: number): string {
  return durationInWords(seconds * 1_000) ?? 'seconds'
}
