import { Html } from '@elysiajs/html'
import { frame, madeOnce, opening } from '../../http/event-frame.ts'
import type { FeedMessage } from '../../live/watcher.ts'
import type { Place } from '../../views/deployment/entry.tsx'
import { Gap, LiveEvent } from '../../views/feed/live.tsx'
import { underBasePath } from '../../views/page/base-path.ts'

export type FrameOf = (message: FeedMessage) => Uint8Array

/** Makes the functions that render events for the pages of this address, one for each kind of list. */
export function framesFor(baseUrl: string): Readonly<Record<Place, FrameOf>> {
  const framesIn = (place: Place) => madeOnce((message: FeedMessage) => makeFrame(message, baseUrl, place))
  return { feed: framesIn('feed'), person: framesIn('person'), project: framesIn('project') }
}

/** The same for a list that was searched for, which few others watch. */
export function searchFramesFor(baseUrl: string, words: readonly string[]): FrameOf {
  return (message) => makeFrame(message, baseUrl, 'feed', words)
}

function makeFrame(
  message: FeedMessage,
  baseUrl: string,
  place: Place,
  words?: readonly string[],
): Uint8Array {
  switch (message.kind) {
    case 'position':
      return opening(message.id)
    case 'gap':
      return frame({ data: String(<Gap />) })
    case 'interrupted':
    case 'resumed':
      return frame({ event: message.kind, data: '' })
    default:
      return frame({
        id: message.id,
        data: underBasePath(baseUrl, <LiveEvent event={message} place={place} words={words} />),
      })
  }
}
