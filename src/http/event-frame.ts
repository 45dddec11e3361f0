const encoder = new TextEncoder()

/** How long a reader waits before it comes back: long enough for a restart, and not the same for all. */
const retryFromMs = 3_000
const retryToMs = 8_000

/**
 * An event and not a comment, which hx-sse swallows, and with data, without which browsers swallow it: a page
 * must notice when the server is silent.
 */
export const heartbeat = encoder.encode(': still here\nevent: heartbeat\ndata: \n\n')
/** Says that the reader has all that was missed. Without data, so that only hx-sse passes it on. */
export const caughtUp = encoder.encode('event: caught-up\n\n')

type Message = { readonly id?: number; readonly event?: string; readonly data: string }

/**
 * A message of an event stream. Each line of the data gets a line of its own, so that no text of a user can
 * end the message or begin another one.
 */
export function frame({ id, event, data }: Message): Uint8Array {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return encoder.encode(
    `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}${lines.join('')}\n`,
  )
}

/**
 * The first message: how far the reader has seen, and how long to wait before coming back, at random so that
 * readers do not all return at once. It is named, because hx-sse takes `retry` only from events it passes on.
 */
export function opening(id: number): Uint8Array {
  return encoder.encode(`event: opening\nretry: ${retryMs(Math.random())}\nid: ${id}\n\n`)
}

/**
 * The last message, which says anew how long to wait: at `turn` 0 the shortest, at 1 the longest time. Without
 * data, so that only hx-sse passes it on; browsers read its `retry` nevertheless.
 */
export function goodbye(turn: number): Uint8Array {
  return encoder.encode(`: goodbye\nevent: goodbye\nretry: ${retryMs(turn)}\n\n`)
}

function retryMs(turn: number): number {
  return retryFromMs + Math.floor(turn * (retryToMs - retryFromMs))
}

/** Makes what gives a message's frame: it is made once, for all readers who get the same object. */
export function madeOnce<Of extends object>(make: (message: Of) => Uint8Array): (message: Of) => Uint8Array {
  const frames = new WeakMap<Of, Uint8Array>()
  return (message) => {
    const known = frames.get(message)
    if (known !== undefined) return known
    const made = make(message)
    frames.set(message, made)
    return made
  }
}
