import type { Service } from '../service.ts'

/** A message as it was sent: fields without a line are null. */
export type Message = {
  readonly comment: string | null
  readonly event: string | null
  readonly id: string | null
  readonly retry: string | null
  readonly data: string | null
}

export type EventSource = {
  readonly response: Response
  /** Without heartbeats, which come at any moment. */
  readonly messages: readonly Message[]
  /** Every byte so far, as text. */
  raw(): string
  /** Waits for the first message that matches, including the ones that have already come. */
  find(isIt: (message: Message) => boolean): Promise<Message>
  /** Resolves when the server ends the stream, rejects when the connection breaks or the format is wrong. */
  readonly ended: Promise<void>
  close(): void
}

/**
 * Opens an event stream and reads it by the standard, without reconnecting (see follower.ts). If the door knows
 * the API's description, an event that is not described ends it.
 */
export async function openEventSource(
  door: Pick<Service, 'fetch'> & Partial<Pick<Service, 'described'>>,
  path: string,
  headers: Record<string, string> = {},
): Promise<EventSource> {
  const aborter = new AbortController()
  const response = await door.fetch(path, {
    headers: { Accept: 'text/html, text/event-stream', ...headers },
    signal: aborter.signal,
  })
  const messages: Message[] = []
  const waiting = new Set<() => void>()
  let raw = ''
  let isOver = false
  const ended = read().finally(() => {
    isOver = true
    for (const wake of waiting) wake()
  })
  // Not every test waits for the end.
  ended.catch(() => {})

  return {
    response,
    messages,
    raw: () => raw,
    async find(isIt) {
      for (;;) {
        const found = messages.find(isIt)
        if (found !== undefined) return found
        if (isOver) {
          await ended
          throw new Error(`The stream ended without the expected message: ${raw}`)
        }
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.add(resolve)
        await promise
        waiting.delete(resolve)
      }
    },
    ended,
    close: () => aborter.abort(),
  }

  async function read(): Promise<void> {
    const parse = messageParser((message) => {
      if (path.startsWith('/api/')) door.described?.checkEvent(message)
      if (message.event === 'heartbeat') return
      messages.push(message)
      for (const wake of waiting) wake()
    })
    const body = response.body ?? new Blob([]).stream()
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      raw += text
      parse(text)
    }
  }
}

/**
 * Makes a parser for a stream that comes in pieces. It knows all three line ends of the standard, so it notices
 * text that smuggles one in, and it throws at any line that is not a field of ours.
 */
export function messageParser(take: (message: Message) => void): (text: string) => void {
  const nothing: Message = { comment: null, event: null, id: null, retry: null, data: null }
  let rest = ''
  let message = nothing

  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) takeLine(line)
  }

  function takeLine(line: string): void {
    if (line === '') {
      if (message === nothing) throw new SyntaxError('There is a blank line without a message')
      take(message)
      message = nothing
      return
    }
    const [, field = '', value = ''] = /^(|event|id|retry|data): (.*)$/s.exec(line) ?? []
    if (!line.startsWith(`${field}: `))
      throw new SyntaxError(`Not a line of an event stream: ${JSON.stringify(line)}`)
    const key = (field === '' ? 'comment' : field) as keyof Message
    const before = message[key]
    if (before !== null && key !== 'data') throw new SyntaxError(`There are two ${key} lines in one message`)
    message = { ...message, [key]: before === null ? value : `${before}\n${value}` }
  }
}

/** The ids of the deployments that a text of the stream adds, in order. */
export function addedIds(html: string): number[] {
  return [...html.matchAll(/<li class="entry(?: joined)?(?: by-bot)?" id="deployment-(\d+)"/g)].map(
    ([, id]) => Number(id),
  )
}
