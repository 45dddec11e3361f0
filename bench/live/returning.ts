/**
 * Holds this many open feeds, and comes back to each that ends: after the time that the server asked for, or soon
 * (`impatient`), as a reader that does not read `retry`. They come from eight addresses. Tells its parent when all
 * are open, and the events until now whenever it is asked.
 */
const [address = '', size = '0', manner = 'patient'] = process.argv.slice(2)
const { hostname, port, host } = new URL(address)
/** How many connect at once at first: fewer than fit the server's backlog. */
const connecting = 100
const impatientMs = 100
const addresses = 8
/** The text that a proxy writes between two chunks of an answer and at its end; our own text has no carriage return. */
const betweenPieces = /\r\n[0-9a-f]+\r\n/g
const atEnd = '\r\n0\r\n\r\n'

type Reader = { readonly number: number; lastId: number | null; retryMs: number; isOpen: boolean }

const returns: number[] = []
let refused = 0
let twice = 0
/** How many have received each event. */
const received = new Map<number, number>()
const readers = Array.from(
  { length: Number(size) },
  (_, number): Reader => ({ number, lastId: null, retryMs: 3_000, isOpen: false }),
)

for (let held = 0; held < readers.length; held += connecting) {
  await Promise.all(readers.slice(held, held + connecting).map(open))
}
process.send?.({ kind: 'held' })
process.on('message', () => {
  const openNow = readers.filter(({ isOpen }) => isOpen).length
  process.send?.({ kind: 'told', returns, refused, twice, received: [...received], open: openNow })
})

/** Resolves with the beginning of the answer. */
async function open(reader: Reader): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let rest = ''
  const onEnd = () => {
    if (!reader.isOpen) refused += 1
    reader.isOpen = false
    resolve()
    setTimeout(comeBack, manner === 'impatient' ? Math.random() * impatientMs : reader.retryMs, reader)
  }
  const socket = {
    open: (socket: Bun.Socket) => void socket.write(requestOf(reader)),
    data(socket: Bun.Socket, bytes: Buffer) {
      if (!reader.isOpen && bytes.indexOf('HTTP/1.1 200') === 0) reader.isOpen = true
      resolve()
      rest += bytes.toString('latin1')
      // The proxy keeps the connection open, and only the answer ends.
      if (!reader.isOpen || rest.endsWith(atEnd)) socket.end()
      rest = take(reader, rest)
    },
    close: onEnd,
  }
  await Bun.connect({ hostname, port: Number(port), socket }).catch(onEnd)
  await promise
}

function comeBack(reader: Reader): void {
  returns.push(performance.timeOrigin + performance.now())
  void open(reader)
}

function requestOf({ number, lastId }: Reader): string {
  const lines = [
    'GET /feed/live HTTP/1.1',
    `Host: ${host}`,
    'Accept: text/event-stream',
    `X-Forwarded-For: 192.0.2.${1 + (number % addresses)}`,
    ...(lastId === null ? [] : [`Last-Event-ID: ${lastId}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Reads whole messages, and returns the rest of the text. */
function take(reader: Reader, text: string): string {
  const end = text.lastIndexOf('\n\n') + 2
  if (end === 1) return text
  const whole = text.slice(0, end).replace(betweenPieces, '')
  for (const [, retry, position, id] of whole.matchAll(
    /^retry: (\d+)(?:\nid: (\d+))?|^id: (\d+)\ndata: /gm,
  )) {
    if (retry !== undefined) reader.retryMs = Number(retry)
    if (position !== undefined) reader.lastId = Number(position)
    if (id !== undefined) note(reader, Number(id))
  }
  return text.slice(end)
}

function note(reader: Reader, id: number): void {
  if (id <= (reader.lastId ?? 0)) twice += 1
  reader.lastId = id
  received.set(id, (received.get(id) ?? 0) + 1)
}

export {}
