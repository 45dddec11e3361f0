import { describe, expect, test } from 'bun:test'
import type { FeedEvent } from '../../src/domain/feed/feed.ts'
import type { LogPage } from '../../src/live/catch-up.ts'
import { type FeedMessage, Follower } from '../../src/live/follower.ts'
import { everything, sinkOf } from '../support/live/diary.ts'

const poster = { id: 7, username: 'ada', name: 'Ada' }

function announced(id: number, userId = 7): FeedEvent {
  const deployment = { id, message: '', url: null, category: null, deployedAt: new Date(0) }
  return {
    kind: 'announced',
    id,
    scopes: [''],
    deployment: { ...deployment, poster: { ...poster, id: userId } },
  }
}

/** A follower whose log gives these events and, while it is read, lets others be offered. */
function follow({ userId = null, missed = [], isCut = false, whileRead = () => {} }: How = {}) {
  const received: FeedMessage[] = []
  const page: LogPage = { events: missed, seen: missed.at(-1)?.id ?? 0, isCut, isLast: true }
  const reading = {
    async read() {
      whileRead(follower)
      return page
    },
    pace: null,
  }
  const frameOf = (one: FeedMessage) => {
    received.push(one)
    return new Uint8Array()
  }
  const filter = { ...everything, userId }
  const follower = new Follower({ filter, after: null, frameOf, sink: sinkOf() }, reading, () => {})
  const lines = () => received.map((one) => ('id' in one ? `${one.kind} ${one.id}` : one.kind))
  return { follower, received, lines }
}

type How = {
  userId?: number | null
  missed?: FeedEvent[]
  isCut?: boolean
  whileRead?: (follower: Follower) => void
}

describe('a follower', () => {
  test('sends nothing before it begins', () => {
    const { follower, lines } = follow()
    follower.offer(announced(1))
    follower.notify('interrupted')
    expect(lines()).toEqual([])
  })

  test('sends its position, then the missed events, then those offered during the read', async () => {
    const { follower, lines } = follow({
      missed: [announced(2), announced(3)],
      whileRead: (follower) => follower.offer(announced(4)),
    })
    await follower.begin(1, true)
    expect(lines()).toEqual(['position 1', 'announced 2', 'announced 3', 'announced 4'])
  })

  test('sends an event once that was both read and offered', async () => {
    const { follower, lines } = follow({
      missed: [announced(2), announced(3)],
      whileRead: (follower) => {
        for (const id of [1, 2, 3, 4]) follower.offer(announced(id))
      },
    })
    await follower.begin(1, true)
    follower.offer(announced(4))
    follower.offer(announced(5))
    expect(lines()).toEqual(['position 1', 'announced 2', 'announced 3', 'announced 4', 'announced 5'])
  })

  test('leaves out events that it has sent when they are offered again', async () => {
    const { follower, lines } = follow()
    await follower.begin(0, false)
    for (const id of [1, 2, 1, 2, 3]) follower.offer(announced(id))
    expect(lines()).toEqual(['position 0', 'announced 1', 'announced 2', 'announced 3'])
  })

  test('sends the gap before the missed events', async () => {
    const { follower, lines } = follow({ isCut: true, missed: [announced(9)] })
    await follower.begin(0, true)
    expect(lines()).toEqual(['position 0', 'gap', 'announced 9'])
  })

  test('leaves out deployments of others, but sends every withdrawal', async () => {
    const { follower, lines } = follow({ userId: 7 })
    follower.offer(announced(1, 8))
    await follower.begin(0, false)
    follower.offer(announced(2, 8))
    follower.offer({ kind: 'withdrawn', id: 3, deploymentId: 2 })
    follower.offer(announced(4, 7))
    expect(lines()).toEqual(['position 0', 'withdrawn 3', 'announced 4'])
  })

  test('sends the very object that it was offered, so that one render serves all', async () => {
    const event = announced(1)
    const { follower, received } = follow()
    await follower.begin(0, false)
    follower.offer(event)
    expect(received[1]).toBe(event)
  })

  test('says once whether the feed stalls, after it has begun', async () => {
    const { follower, lines } = follow()
    follower.notify('interrupted')
    await follower.begin(5, false)
    follower.notify('interrupted')
    follower.notify('resumed')
    expect(lines()).toEqual(['position 5', 'interrupted', 'resumed'])
  })
})
