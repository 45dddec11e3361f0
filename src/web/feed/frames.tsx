import { Html } from '@elysiajs/html'
import { frame, madeOnce, opening } from '../../http/event-frame.ts'
import type { FeedMessage } from '../../live/watcher.ts'
import { Gap, LiveEvent } from '../../views/feed/live.tsx'
import { underBasePath } from '../../views/page/base-path.ts'

export type FrameOf = (message: FeedMessage) => Uint8Array

/** Makes the function that renders events for the pages of this address. */
export function framesFor(baseUrl: string): FrameOf {
  return madeOnce((message) => makeFrame(message, baseUrl))
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
