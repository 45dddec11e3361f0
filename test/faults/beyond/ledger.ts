import { patience } from '../../support/eventually.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import type { Service } from '../../support/service.ts'

/** An answer after this is too late for a pipeline (docs/decisions.md#operation). */
const answerMs = 2_500
const expected = [200, 201, 503]
/** A caller gives up after so long without an answer. */
const givenUpMs = 10_000

type Door = Pick<Service, 'fetch'>

/** What posters were told while they went on announcing, each thing until it was acknowledged. */
export type Ledger = {
  /** The ids that were acknowledged, one for each thing. */
  readonly acknowledged: readonly number[]
  /** Badges and pages, asked for after an acknowledgement, that did not know of it. */
  readonly stale: readonly string[]
  /** Answers that came too late. */
  readonly late: readonly string[]
  /** Answers that no outage accounts for. */
  readonly strange: readonly string[]
  /** Says what happens now, as a heading for the lines that follow. */
  during(what: string): void
  /** Resolves when each poster's last announcement is acknowledged. */
  stop(): Promise<void>
}

/** That many posters; each announces every `pauseMs` and then checks that its badge shows it. */
export async function keepLedger(door: Door, count: number, pauseMs: number): Promise<Ledger> {
  const acknowledged: number[] = []
  const stale: string[] = []
  const late: string[] = []
  const strange: string[] = []
  let phase = 'the beginning'
  let isOver = false
  const posters: Poster[] = []
  for (let n = 0; n < count; n += 1) posters.push(await signUpPoster(door, { username: `poster-${n}` }))
  const posting = posters.map(post)

  return {
    ...{ acknowledged, stale, late, strange },
    during(what) {
      phase = what
    },
    async stop() {
      isOver = true
      await Promise.all(posting)
    },
  }

  async function post(poster: Poster): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const target = `${poster.username}.example/turns/r${n}`
      let id: number | null = null
      while (id === null) id = await announce(poster, n, target)
      acknowledged.push(id)
      await look(poster, target, id)
      await Bun.sleep(pauseMs)
    }
  }

  async function announce(poster: Poster, n: number, target: string): Promise<number | null> {
    const fields = { message: `Run ${n}`, url: `https://${target}` }
    const response = await timed('announce', () => poster.announce(fields, { 'Idempotency-Key': `run-${n}` }))
    const record = response?.status === 201 ? ((await response.json()) as { id: number }) : null
    if (record === null) await Bun.sleep(100)
    return record?.id ?? null
  }

  /** Two reads that any process may answer: of an image, and of the page that it leads to. */
  async function look(poster: Poster, target: string, id: number): Promise<void> {
    const badge = await timed('badge', () => door.fetch(`/badge/${poster.username}.svg?url=${target}`))
    const isAway = badge?.headers.get('X-Shipfeed-Status') === 'unavailable'
    const image = (await badge?.text()) ?? ''
    if (badge?.status === 200 && !isAway && !image.includes('Fresh'))
      stale.push(`${phase}: badge of ${target}: ${image}`)
    const page = await timed('page', () => door.fetch(`/${poster.username}`))
    const html = (await page?.text()) ?? ''
    if (page?.status === 200 && !html.includes(`/${poster.username}/${id}"`))
      stale.push(`${phase}: page of ${target}`)
  }

  async function timed(what: string, ask: () => Promise<Response>): Promise<Response | null> {
    const begunAt = performance.now()
    const response = await Promise.race([ask().catch(() => null), Bun.sleep(givenUpMs).then(() => null)])
    const tookMs = performance.now() - begunAt
    const told = `${phase}: ${what} ${response?.status ?? 'unanswered'} after ${Math.round(tookMs)} ms`
    if (tookMs > patience(answerMs)) late.push(told)
    if (response !== null && !expected.includes(response.status)) strange.push(told)
    return response
  }
}
