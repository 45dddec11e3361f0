import type { Crowd } from './crowd.ts'
import { announce, nextPost, publish } from './posting.ts'

type Stage = {
  /** The service that is watched, another one on the same database that is not, and the WebSockets. */
  readonly watched: { readonly url: string; readonly crowd: Crowd }
  readonly quietUrl: string
  readonly webSockets: { readonly url: string; readonly crowd: Crowd }
}

/** In ms, one of each per round. */
export type FanOut = {
  readonly toLast: number
  readonly toLastWebSocket: number
  readonly idlePost: number
  readonly busyPost: number
}

/** One round. Every post has arrived everywhere before the next one is measured. */
export async function fanOut({ watched, quietUrl, webSockets }: Stage): Promise<FanOut> {
  const first = nextPost()
  const ours = await announce(watched.url, first)
  const toLast = (await watched.crowd.receive(first).last) - ours.beganAt

  const second = nextPost()
  const theirs = await publish(webSockets.url, second)
  const toLastWebSocket = (await webSockets.crowd.receive(second).last) - theirs.beganAt

  const third = nextPost()
  const idle = await announce(quietUrl, third)
  await watched.crowd.receive(third).last

  const fourth = nextPost()
  const fifth = nextPost()
  await announce(watched.url, fourth)
  // While it is being sent, another pipeline announces.
  await watched.crowd.receive(fourth).first
  const busy = await announce(watched.url, fifth)
  await Promise.all([fourth, fifth].map((post) => watched.crowd.receive(post).last))

  return { toLast, toLastWebSocket, idlePost: idle.tookMs, busyPost: busy.tookMs }
}
