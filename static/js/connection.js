// How news reaches the page: by a stream of hx-sse, which reconnects by itself, or by polls of htmx.

/** After this, a stream that does not come back is given up: polls go on, and ask for a stream too. */
const mostAttempts = 5
/** The server sends something every 15 s. After this silence the network has lost it. */
const silenceMs = 40_000
/** How long messages may be taken before the page gets its turn. */
const busyMs = 30

/**
 * Calls `report` with 'live' or 'polling' while that is known to work, and with 'reconnecting' otherwise. The event
 * 'current' says that all has come which was there when somebody came back to the page.
 */
export function watchConnection(arrivals, report) {
  let stream = null
  let last = null
  let silence
  let lastRest = 0
  /**
   * What is under way was asked for before somebody came back to the page, or by another network: it may not know what
   * came since.
   */
  let isOutdated = document.hidden
  const rest = async () => {
    await new Promise((resolve) => setTimeout(resolve))
    lastRest = performance.now()
  }

  const on = (names, listener) => {
    for (const name of names) arrivals.addEventListener(name, listener)
  }
  const lose = () => {
    clearTimeout(silence)
    stream = null
    report('reconnecting')
  }
  const onCurrent = () => {
    if (!isOutdated) arrivals.dispatchEvent(new Event('current'))
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
  /** Who waits to come back need not wait any longer. */
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
      // Its wait begins a moment later.
      if (isOutdated) queueMicrotask(comeBack)
    }
    if (attempt > mostAttempts || document.hidden) event.preventDefault()
  })
  on(['htmx:sse:after:connection'], ({ detail }) => {
    stream = detail.connection
    if (isOutdated) {
      // Its reader exists a moment later.
      queueMicrotask(letGo)
      return
    }
    report('live')
    hear()
  })
  on(['htmx:sse:after:message'], hear)
  // hx-sse takes all that has come in one go: after a burst, nothing else would be drawn or clicked for
  // seconds.
  on(['htmx:sse:before:message'], ({ detail }) => {
    if (performance.now() - lastRest > busyMs) detail.waitUntil(rest())
  })
  on(['htmx:sse:error', 'htmx:sse:close', 'htmx:error'], lose)
  // A server that has no stream left answers with what is new, and htmx asks again.
  on(['htmx:before:request'], () => {
    isOutdated = document.hidden
  })
  on(['htmx:after:request'], ({ detail }) => {
    const isAnswered = detail.ctx.response.status < 300
    report(isAnswered ? 'polling' : 'reconnecting')
    if (isAnswered) arrivals.addEventListener('htmx:finally:request', onCurrent, { once: true })
  })
  on(['caught-up'], onCurrent)
  // The stream is there, and the server cannot read the log.
  on(['interrupted'], () => report('reconnecting'))
  on(['resumed'], () => report('live'))
  // Another network has lost the stream of the one before.
  addEventListener('online', () => {
    outdate()
    comeBack()
  })
  // A browser has six connections to a server: pages in the background must not take them all.
  document.addEventListener('visibilitychange', () => (document.hidden ? outdate() : comeBack()))

  on(['htmx:config:request'], ({ detail }) => {
    const { request } = detail.ctx
    // Until somebody looks at it again, the page polls: without a stream it gets what is new.
    if (document.hidden) request.headers.Accept = 'text/html'
    // A first connection and a poll say what the page has seen; a stream that comes back does so by itself.
    const address = new URL(request.action, location.href)
    address.searchParams.set('after', arrivals.dataset.seen)
    request.action = address.pathname + address.search
  })
}
