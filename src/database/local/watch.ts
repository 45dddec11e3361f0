import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { settleBy } from '../db.ts'
import { codeOf } from '../errors.ts'
import { routeTo } from '../postgres/pooler.ts'
import { poolSettings } from '../session-settings.ts'

type Watched = {
  /** False once it has ended, or is being ended by somebody else. */
  readonly isWatched: () => boolean
  /** Resolves when it first accepts connections. */
  readonly ready: Promise<void>
  /** How many lines it has logged about itself. */
  readonly linesLogged: () => number
}

/** How long a Postgres that was ready may not answer, and any other may not log anything. A long recovery logs. */
const patienceMs = { ready: 5_000, notReady: 30_000 }

/** Silence is counted in rounds, of which each asks once. */
const roundMs = 2_500
/** In a round that took longer, this process itself stood still. */
const longestMs = 5_000

/** Resolves with the cause if a Postgres hangs, or with null if it is no longer watched. */
export async function hangOf(server: Watched, url: string): Promise<string | null> {
  let isReady = false
  let silentMs = 0
  void server.ready.then(() => {
    isReady = true
  })
  while (server.isWatched()) {
    const [begunAt, wasReady, lines] = [performance.now(), isReady, server.linesLogged()]
    const round = pause()
    const answer = await ask(url)
    if (answer !== 'none') isReady = answer === 'yes'
    await round
    // One that is ready has to answer, and any other is at work while it logs.
    const hasLogged = server.linesLogged() > lines && !(wasReady && isReady)
    if (answer === 'yes' || hasLogged) silentMs = 0
    else if (performance.now() < begunAt + longestMs) silentMs += roundMs
    const maxMs = isReady ? patienceMs.ready : patienceMs.notReady
    if (silentMs >= maxMs && server.isWatched()) return `did not answer for ${maxMs / 1_000} s`
    if (answer === 'yes') await pause()
  }
  return null
}

/** Keeps no process from ending. */
async function pause(): Promise<void> {
  await sleep(roundMs, null, { ref: false })
}

/** What a new connection hears. `later`: Postgres is starting, recovering or stopping. */
async function ask(url: string): Promise<'yes' | 'later' | 'none'> {
  const asking = async () => {
    using connection = await routeTo(url).direct(poolSettings)
    await connection.queries.execute(sql`select 1`)
  }
  try {
    await settleBy(performance.now() + roundMs, asking())
    return 'yes'
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (code === '57P03') return 'later'
    // An SQLSTATE: the server has answered, if only with an error of its own, such as too many connections.
    return /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? 'yes' : 'none'
  }
}
