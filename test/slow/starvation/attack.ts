// A process of its own: asks over many connections that are kept alive, each as soon as it has its answer. Prints a line
// when the first answer has come, and at the end the number of answers by status. It uses sockets instead of fetch, so
// that the server is what is busy.

/** Requests as they are written, taken in turns; each `{n}` becomes another number each time. `seconds` begin with the first answer. */
export type Attack = {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  readonly requests: readonly string[]
}

if (import.meta.main) {
  const attack: Attack = JSON.parse(process.argv[2] ?? '')
  const statuses: Record<string, number> = {}
  for (let n = 0; n < attack.connections; n += 1) void keepAsking(attack, n, statuses)
  while (Object.keys(statuses).length === 0) await Bun.sleep(10)
  console.log('The first answer is there')
  await Bun.sleep(attack.seconds * 1_000)
  console.log(JSON.stringify(statuses))
  process.exit(0)
}

async function keepAsking(attack: Attack, first: number, statuses: Record<string, number>): Promise<void> {
  const { port, requests } = attack
  for (let n = first; ; ) {
    const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>()
    const answer = answerReader((status) => {
      statuses[status] = (statuses[status] ?? 0) + 1
      n += 1
    })
    const ask = (socket: { write(text: string): number }) => {
      socket.write((requests[n % requests.length] ?? '').replaceAll('{n}', () => String(number())))
    }
    await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open: ask,
        data(socket, bytes) {
          const read = answer(bytes)
          if (read === 'stream') socket.end()
          else if (read === 'whole') ask(socket)
        },
        close: () => onEnd(),
        error: () => onEnd(),
      },
    }).then(
      () => ended,
      () => Bun.sleep(20),
    )
  }
}

/** Ten digits, so that a body is as long as its head says. */
function number(): number {
  return 1_000_000_000 + Math.floor(Math.random() * 1_000_000_000)
}

/** Makes the function that takes bytes of one answer after the other and says when one is whole. */
function answerReader(
  onStatus: (status: string) => void,
): (bytes: Uint8Array) => 'whole' | 'part' | 'stream' {
  let head = ''
  /** Bytes of the body that are to come; null where it is chunked, or the head is not whole. */
  let left: number | null = null
  let end = ''

  return (bytes) => {
    let text = ''
    if (left === null) {
      text = Buffer.from(bytes).toString('latin1')
      if (!head.includes('\r\n\r\n')) {
        head += text
        if (!head.includes('\r\n\r\n')) return 'part'
        const [fields = '', body = ''] = head.split(/\r\n\r\n(.*)/s)
        const status = fields.slice(9, 12)
        onStatus(status)
        if (/^content-type: text\/event-stream/im.test(fields)) return 'stream'
        const [, length] = /^content-length: (\d+)/im.exec(fields) ?? []
        const isEmpty = status === '204' || status === '304'
        if (length === undefined && !isEmpty) text = body
        else left = (isEmpty ? 0 : Number(length)) - body.length
      }
      end = (end + text).slice(-7)
    } else left -= bytes.length
    const isWhole = left === null ? end.endsWith('0\r\n\r\n') : left <= 0
    if (!isWhole) return 'part'
    head = ''
    left = null
    end = ''
    return 'whole'
  }
}
