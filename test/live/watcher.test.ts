import { describe, expect, test } from 'bun:test'
import type { FeedEvent } from '../../src/domain/feed-event.ts'
import { type FeedMessage, Watcher } from '../../src/live/watcher.ts'
import { everything } from '../support/live/diary.ts'

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

function watch(userId: number | null = null) {
  const received: FeedMessage[] = []
  const receive = (one: FeedMessage) => received.push(one)
  const watcher = new Watcher({ ...everything, userId }, { receive })
  const lines = () => received.map((one) => ('id' in one ? `${one.kind} ${one.id}` : one.kind))
  return { watcher, received, lines }
}

const notMissed = { isCut: false, events: [] }

describe('a watcher', () => {
  test('receives nothing before it begins', () => {
    const { watcher, lines } = watch()
    watcher.offer(announced(1))
    watcher.notify('interrupted')
    expect(lines()).toEqual([])
  })

  test('begins with its position, then what it missed, then what was kept back', () => {
    const { watcher, lines } = watch()
    watcher.offer(announced(4))
    watcher.begin(1, { isCut: false, events: [announced(2), announced(3)] })
    expect(lines()).toEqual(['position 1', 'announced 2', 'announced 3', 'announced 4'])
  })

  test('receives once what it missed and what was kept back alike', () => {
    const { watcher, lines } = watch()
    for (const id of [1, 2, 3, 4]) watcher.offer(announced(id))
    watcher.begin(1, { isCut: false, events: [announced(2), announced(3)] })
    watcher.offer(announced(4))
    watcher.offer(announced(5))
    expect(lines()).toEqual(['position 1', 'announced 2', 'announced 3', 'announced 4', 'announced 5'])
  })

  test('leaves out what it had, when the tail goes back', () => {
    const { watcher, lines } = watch()
    watcher.begin(0, notMissed)
    for (const id of [1, 2, 1, 2, 3]) watcher.offer(announced(id))
    expect(lines()).toEqual(['position 0', 'announced 1', 'announced 2', 'announced 3'])
  })

  test('is told of the gap before what it missed', () => {
    const { watcher, lines } = watch()
    watcher.begin(0, { isCut: true, events: [announced(9)] })
    expect(lines()).toEqual(['position 0', 'gap', 'announced 9'])
  })

  test('is offered others’ deployments in vain, but receives every withdrawal', () => {
    const { watcher, lines } = watch(7)
    watcher.offer(announced(1, 8))
    watcher.begin(0, notMissed)
    watcher.offer(announced(2, 8))
    watcher.offer({ kind: 'withdrawn', id: 3, deploymentId: 2 })
    watcher.offer(announced(4, 7))
    expect(lines()).toEqual(['position 0', 'withdrawn 3', 'announced 4'])
  })

  test('receives the very object that it was offered, so that one render serves all', () => {
    const event = announced(1)
    const { watcher, received } = watch()
    watcher.begin(0, notMissed)
    watcher.offer(event)
    expect(received[1]).toBe(event)
  })

  test('hears news of the feed after it has begun', () => {
    const { watcher, lines } = watch()
    watcher.begin(5, notMissed)
    watcher.notify('interrupted')
    watcher.notify('resumed')
    expect(lines()).toEqual(['position 5', 'interrupted', 'resumed'])
  })
})
