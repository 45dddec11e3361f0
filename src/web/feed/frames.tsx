import { Html } from '@elysiajs/html'
import { frame, opening } from '../../http/event-frame.ts'
import type { Received } from '../../live/watcher.ts'
import { Gap, LiveEvent } from '../../views/feed/live.tsx'

const frames = new WeakMap<Received, Uint8Array>()

/** Renders an event once and gives the same bytes to every watcher, since all get the same object. */
export function frameOf(received: Received): Uint8Array {
  const known = frames.get(received)
  if (known !== undefined) return known
  const made = makeFrame(received)
  frames.set(received, made)
  return made
}

function makeFrame(received: Received): Uint8Array {
  switch (received.kind) {
    case 'position':
      return opening(received.id)
    case 'gap':
      return frame({ data: String(<Gap />) })
    case 'interrupted':
    case 'resumed':
      return frame({ event: received.kind, data: '' })
    default:
      return frame({ id: received.id, data: String(<LiveEvent event={received} />) })
  }
}
