import type { Db } from '../../../database/db.ts'
import { noteEvents, readEvents } from '../events.ts'
import { formatRules } from '../format-rules.ts'
import { isWanted, type WebhookEvent } from '../rules.ts'
import { nextStep } from './retries.ts'
import type { WebhookSender } from './sender.ts'
import { type Claimed, catchUp, claimWebhooks, saveProgress, type WebhookProgress } from './store.ts'

type Options = {
  readonly send: WebhookSender['send']
  /** The work goes on at the next interval. */
  readonly onError: (error: unknown) => void
  readonly onTried: (isDelivered: boolean) => void
}

export type WebhookDispatcher = ReturnType<typeof dispatchWebhooks>

/** How many events of a webhook are read at once. */
const eventsAtOnce = 50
/** After this many messages, a webhook gives its place to another one. */
const messagesAtOnce = 200

/** Between two looks at the log, so that a busy log costs five statements a second. */
const lookEveryMs = 200
/** For retries, joined messages, and work that another process has left. */
const fillEveryMs = 1_000
/** In case a bell was lost or a webhook was added elsewhere. */
const catchUpEveryMs = 60_000

/** Sends the events of the log to webhooks (docs/architecture.md#webhooks). */
export function dispatchWebhooks(db: Db, { send, onError, onTried }: Options) {
  let isClosed = false
  let hasWebhooks = false
  let position = 0
  const inFlight = new Set<Claimed>()
  const notice = oneAtATime(noteNews)
  const fill = oneAtATime(claimSome)
  const wake = oneAtATime(compare)
  const timers = [setInterval(wake, catchUpEveryMs), setInterval(() => hasWebhooks && fill(), fillEveryMs)]
  for (const timer of timers) timer.unref()
  wake()

  return {
    /** The bell calls it. Costs nothing without webhooks. */
    look(): void {
      if (hasWebhooks) notice()
    },
    /** For webhooks that were added or resumed. */
    wake,
    close(): void {
      isClosed = true
      for (const timer of timers) clearInterval(timer)
    },
  }

  async function compare(): Promise<void> {
    ;({ position, hasWebhooks } = await catchUp(db))
    if (hasWebhooks) fill()
  }

  async function noteNews(): Promise<void> {
    const found = await noteEvents(db, position)
    if (found.isSetBack) return compare()
    position = found.position
    if (found.hasNews) fill()
    await Bun.sleep(lookEveryMs)
  }

  async function claimSome(): Promise<void> {
    for (const webhook of await claimWebhooks(db, [...inFlight])) void occupy(webhook)
  }

  async function occupy(webhook: Claimed): Promise<void> {
    inFlight.add(webhook)
    try {
      await serve(webhook)
    } catch (error) {
      // The claim runs out, and the message is sent again with the same id.
      if (!isClosed) onError(error)
    } finally {
      inFlight.delete(webhook)
      fill()
    }
  }

  /** Until there are no events, one fails, or others have waited long enough. */
  async function serve(claimed: Claimed): Promise<void> {
    let webhook = claimed
    let events: readonly WebhookEvent[] = []
    let isEnd = false
    for (let messages = 1; !isClosed; messages += 1) {
      if (events.length === 0) {
        events = await readEvents(db, webhook, eventsAtOnce)
        isEnd = events.length < eventsAtOnce
      }
      const read = events
      const progress = await nextMessage(webhook, read)
      events = read.filter(({ id }) => id > progress.position)
      const isDone = isEnd && events.length === 0
      const everyMs = progress.sent === null ? 0 : formatRules[webhook.format].everyMs
      const isLast = progress.nextInMs !== null || isDone || everyMs > 0 || messages === messagesAtOnce
      const position = isDone ? Math.max(progress.position, webhook.lastEvent) : progress.position
      const nextInMs = progress.nextInMs ?? (isLast ? everyMs : null)
      const gone = await saveProgress(db, webhook, { ...progress, position, nextInMs }, read)
      if (isLast || gone === null) return
      // Of a deployment that is withdrawn before it was sent, only the withdrawal is sent.
      events = events.filter(({ id }) => !gone.includes(id))
      webhook = { ...webhook, position, attempts: progress.attempts }
    }
  }

  /** Sends the next message, if any of these events is wanted. `nextInMs` is null if all went well. */
  async function nextMessage(webhook: Claimed, events: readonly WebhookEvent[]): Promise<WebhookProgress> {
    const { everyMs, sendsWithdrawals } = formatRules[webhook.format]
    const filter = sendsWithdrawals ? webhook : { ...webhook, withdrawals: false }
    const wanted = events.filter((event) => isWanted(filter, event))
    const [first, ...others] = wanted
    if (first === undefined) {
      return { ...unchanged, position: events.at(-1)?.id ?? webhook.position, attempts: webhook.attempts }
    }
    const { sent, tried } = await send(webhook, everyMs === 0 ? [first] : [first, ...others])
    const next = nextStep(tried, webhook.attempts)
    onTried(next.step === 'go_on')
    if (next.step === 'go_on') {
      const carried = wanted[sent.events - 1] ?? first
      // The events between this one and the next wanted one are left out.
      const following = wanted[sent.events]
      const position = following === undefined ? (events.at(-1)?.id ?? carried.id) : following.id - 1
      return { ...unchanged, position, attempts: 0, isProven: true, sent }
    }
    const failed = { position: first.id - 1, attempts: webhook.attempts + 1, isProven: false, sent }
    if (next.step === 'retry') return { ...failed, nextInMs: next.inMs, pausedBecause: null }
    return { ...failed, nextInMs: 0, pausedBecause: next.because }
  }

  /** Runs work again if it was asked for while it ran, and never twice at once. */
  function oneAtATime(work: () => Promise<void>): () => void {
    let isWorking = false
    let isAsked = false
    return () => {
      isAsked = true
      if (!isWorking) void run()
    }

    async function run(): Promise<void> {
      isWorking = true
      while (isAsked && !isClosed) {
        isAsked = false
        await work().catch(onError)
      }
      isWorking = false
    }
  }
}

const unchanged = { isProven: null, nextInMs: null, pausedBecause: null, sent: null } as const
