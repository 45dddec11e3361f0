import { Html } from '@elysiajs/html'
import { frame, opening } from '../../http/event-frame.ts'
import type { FeedMessage } from '../../live/watcher.ts'
import { Gap, LiveEvent } from '../../views/feed/live.tsx'
import { underBasePath } from '../../views/page/base-path.ts'

export type FrameOf = (message: FeedMessage) => Uint8Array

/**
 * Makes the function that renders an event once and gives the same bytes to every watcher, since all get the
 * same object.
 */
export function framesFor(baseUrl: string): FrameOf {
  const frames = new WeakMap<FeedMessage, Uint8Array>()

  return (message) => {
    const known = frames.get(message)
    if (known !== undefined) return known
    const made = makeFrame(message, baseUrl)
    frames.set(message, made)
    return made
  }
}

function makeFrame(message: FeedMessage, baseUrl: string): Uint8Array {
  switch (message.kind) {
    case 'position':
      return opening(message.id)
    case 'gap':
      return frame({ data: String(<Gap />) })
    case 'interrupted':
    case 'resumed':
      return frame({ event: message.kind, data: '' })
    default:
      return frame({ id: message.id, data: underBasePath(baseUrl, <LiveEvent event={message} />) })
  }
}
