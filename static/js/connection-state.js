// How events reach the page: by a stream of hx-sse, which reconnects by itself, or by polls of htmx, whose interval is
// in src/views/feed/live.tsx.

/**
 * After this many failed attempts to reconnect, the page polls; each poll also asks for a stream. The server sets the
 * waits between the attempts (src/http/event-stream.ts).
 */
const maxAttempts = 5
/** The server sends something every 15 s. After this silence, the network has lost the stream. */
const silenceMs = 40_000
/** A loss is reported after this time. Before that, the page may be left, which ends its stream, or is live again. */
const lossMs = 1_000
/** How long messages are processed before the page may draw again, in ms. */
const busyMs = 30

/** How the page words each state that is reported, and the state of a list that its reader has paused. */
export const stateInWords = {
  live: 'Live',
  reconnecting: 'Reconnecting',
  polling: 'Every 20 seconds',
  paused: 'Paused',
}

/**
 * Calls `report` with 'live' or 'polling' while that is known to work, and with 'reconnecting' otherwise. The event
 * 'current' says that the page has everything that existed when its reader came back to it. Ends when `signal` aborts.
 */
export function watchConnection(arrivals, report, signal) {
  let stream = null
  let last = null
  let silence
  let loss
  let lastRest = 0
  /**
   * Whether the requests under way were sent before the reader came back to the page, or over another network. Their
   * responses may then lack what came since.
   */
  let isOutdated = document.hidden
  const rest = async () => {
    await new Promise((resolve) => setTimeout(resolve))
    lastRest = performance.now()
  }

  const on = (names, listener) => {
    for (const name of names) arrivals.addEventListener(name, listener)
  }
  const tell = (state) => {
    if (state === 'reconnecting') {
      loss ??= setTimeout(report, lossMs, state)
      return
    }
    clearTimeout(loss)
    loss = undefined
    report(state)
  }
  const lose = () => {
    clearTimeout(silence)
    stream = null
    tell('reconnecting')
  }
  const onCurrent = () => {
    if (!isOutdated) arrivals.dispatchEvent(new Event('current'))
  }
  /** The last event seen is not always an entry: it may be a withdrawal or belong to another list. */
  const see = (id) => {
    if (id) arrivals.dataset.seen = id
  }
  const letGo = () => {
    const lost = stream
    lose()
    lost?.reader?.cancel()
  }
  const outdate = () => {
    isOutdated = true
    if (stream !== null) letGo()
  }
  /** Ends the wait before the next attempt to reconnect. */
  const comeBack = () => {
    if (!last?.delayCanceller) return
    isOutdated = document.hidden
    last.delayCanceller()
  }
  const hear = () => {
    clearTimeout(silence)
    silence = setTimeout(letGo, silenceMs)
  }

  on(['htmx:sse:before:connection'], (event) => {
    const { attempt } = event.detail.connection
    last = event.detail.connection
    if (attempt > 0) {
      lose()
      // The wait of the extension begins a moment later.
      if (isOutdated) queueMicrotask(comeBack)
    }
    if (attempt > maxAttempts || document.hidden) event.preventDefault()
  })
  on(['htmx:sse:after:connection'], ({ detail }) => {
    stream = detail.connection
    if (isOutdated) {
      // `stream.reader` is set a moment later.
      queueMicrotask(letGo)
      return
    }
    tell('live')
    hear()
  })
  on(['htmx:sse:after:message'], ({ detail }) => {
    hear()
    see(detail.message.id)
  })
  // hx-sse processes all available messages at once: after a burst, the page would not draw or react for
  // seconds.
  on(['htmx:sse:before:message'], ({ detail }) => {
    if (performance.now() - lastRest > busyMs) detail.waitUntil(rest())
  })
  on(['htmx:sse:error', 'htmx:sse:close', 'htmx:error'], lose)
  // A server without a free stream answers with the new entries, and htmx asks again.
  on(['htmx:before:request'], () => {
    isOutdated = document.hidden
  })
  on(['htmx:after:request'], ({ detail }) => {
    const isAnswered = detail.ctx.response.status < 300
    tell(isAnswered ? 'polling' : 'reconnecting')
    if (!isAnswered) return
    const onDone = () => {
      see(detail.ctx.response.headers.get('Last-Event-ID'))
      onCurrent()
    }
    arrivals.addEventListener('htmx:finally:request', onDone, { once: true })
  })
  on(['caught-up'], ({ detail }) => {
    see(detail.id)
    onCurrent()
  })
  // The stream is open, but the server cannot read the log.
  on(['interrupted'], () => tell('reconnecting'))
  on(['resumed'], () => tell('live'))
  // A change of network loses the stream of the previous network.
  const onNetwork = () => {
    outdate()
    comeBack()
  }
  addEventListener('online', onNetwork, { signal })
  // A browser has six connections to a server, and pages in the background must not use them all.
  document.addEventListener('visibilitychange', () => (document.hidden ? outdate() : comeBack()), { signal })
  signal.addEventListener('abort', () => {
    clearTimeout(silence)
    clearTimeout(loss)
  })

  on(['htmx:config:request'], ({ detail }) => {
    const { request } = detail.ctx
    // The page polls until it is visible again: without a stream, it still gets new entries.
    if (document.hidden) request.headers.Accept = 'text/html'
    // A first connection and a poll say how far the page has seen; a reconnecting stream does so by itself.
    const address = new URL(request.action, location.href)
    address.searchParams.set('after', arrivals.dataset.seen)
    request.action = address.pathname + address.search
  })
}
