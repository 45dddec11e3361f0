// How news reach the page: by a stream of hx-sse, which comes back by itself, or by the polls of htmx.

/** A stream that does not come back by then is given up: the polls go on, and they ask for a stream too. */
const mostAttempts = 5
/** The server is heard every 15 s. After this silence the network has lost it, and nobody else would tell. */
const silenceMs = 40_000

/** Calls `tell` with 'live' or 'polling' while that is known to work, and with 'reconnecting' otherwise. */
export function watchConnection(arrivals, tell) {
  let isStreaming = false
  let silence

  const on = (names, listener) => {
    for (const name of names) arrivals.addEventListener(name, listener)
  }
  const lose = () => {
    clearTimeout(silence)
    isStreaming = false
    tell('reconnecting')
  }
  const hear = (stream) => {
    clearTimeout(silence)
    silence = setTimeout(() => {
      lose()
      stream.reader?.cancel()
    }, silenceMs)
  }

  on(['htmx:sse:before:connection'], (event) => {
    const { attempt } = event.detail.connection
    if (attempt > 0) lose()
    if (attempt > mostAttempts) event.preventDefault()
  })
  on(['htmx:sse:after:connection'], ({ detail }) => {
    isStreaming = true
    tell('live')
    hear(detail.connection)
  })
  on(['htmx:sse:after:message'], ({ detail }) => hear(detail.connection))
  on(['htmx:sse:error', 'htmx:sse:close', 'htmx:error'], lose)
  // Where the server has no stream left it answers with what is new, and htmx asks again.
  on(['htmx:after:request'], ({ detail }) =>
    tell(detail.ctx.response.status < 300 ? 'polling' : 'reconnecting'),
  )
  // The stream is there, and the server cannot read the log.
  on(['interrupted'], () => tell('reconnecting'))
  on(['resumed'], () => tell('live'))
  // hx-sse lets go of the stream of a hidden page, and says so only when it takes it up again.
  document.addEventListener('visibilitychange', () => document.hidden && isStreaming && lose())

  on(['htmx:config:request'], (event) => {
    // A browser has six connections to a server: pages in the background must not take them all.
    if (document.hidden) event.preventDefault()
    // A first connection and a poll say what the page has seen; a stream that comes back does so by itself.
    const { request } = event.detail.ctx
    const address = new URL(request.action, location.href)
    address.searchParams.set('after', arrivals.dataset.seen)
    request.action = address.pathname + address.search
  })
}
