import { listAllWebhooks, type OperatedWebhook, pauseForOperator } from '../data/webhooks/operation.ts'
import { durationInWords } from '../domain/ages-and-days.ts'
import { shownAddress, type WebhookReach } from '../domain/webhook/address.ts'
import { type Command, CommandRefused, Misused, program, tableRow } from './command.ts'

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
  summary: 'pause a webhook, until its owner resumes it',
  usage: `${program} pause-webhook <id>

\`${program} webhooks\` lists the ids. For example: ${program} pause-webhook 12`,
  read([word = '', ...more]) {
    if (!/^\d{1,15}$/.test(word) || more.length > 0) throw new Misused('give one webhook by its id')
    return word
  },
  async withDatabase({ db, output }, id) {
    const found = await pauseForOperator(db, Number(id))
    if (found === null) throw new CommandRefused(`there is no webhook ${id}`)
    const what = `Webhook ${id} of "${found.username}" to ${shownAddress(found)}`
    await output(
      found.pausedBecause === null
        ? `${what} is paused. Its owner sees that you paused it, and can resume it.\n`
        : `${what} is paused already: ${found.pausedBecause}.\n`,
    )
  },
}

/** What `check` says of the webhooks, and whether it is all right. */
export function webhookState(
  webhooks: readonly OperatedWebhook[],
  reach: WebhookReach,
): { readonly isRight: boolean; readonly says: string } {
  const going = webhooks.filter(({ pausedBecause }) => pausedBecause === null)
  if (reach === 'off') {
    const idle =
      going.length === 0 ? '' : `, and webhooks wait (${going.length}): set WEBHOOKS, or pause them`
    return { isRight: true, says: `WEBHOOKS is off${idle}` }
  }
  const stuck = going.filter(({ isOverdue }) => isOverdue)
  if (stuck.length > 0) {
    const advice = 'start a process with WEBHOOKS, and look for `webhooks_failed` in its log'
    return { isRight: false, says: `nothing is sent to ${namesOf(stuck)}: ${advice}` }
  }
  const failing = going.filter(({ attempts }) => attempts > 0)
  const failure =
    failing.length === 0 ? '' : `; the receivers of ${namesOf(failing)} fail, and their owners see why`
  const paused = webhooks.length - going.length
  return { isRight: true, says: `${going.length} send, ${paused} are paused${failure}` }
}

const mostNamed = 5

function namesOf(webhooks: readonly OperatedWebhook[]): string {
  const named = webhooks.slice(0, mostNamed).map(({ id, username, waitingSeconds }) => {
    return `${id} of ${username} (for ${waitOf(waitingSeconds ?? 0)})`
  })
  const more = webhooks.length - named.length
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function waitOf(seconds: number): string {
  return durationInWords(seconds * 1_000) ?? 'seconds'
}
