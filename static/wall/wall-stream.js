// The stream of a wallboard. The browser reconnects by itself after a loss; this reopens a stream that the browser gave up.

/** The server sends something every 15 s. After this silence the network has lost the stream. */
const silenceMs = 40_000
/** The delay is random between these, so that wallboards do not all reconnect at once after a restart. */
const retryMs = [5_000, 15_000]

/**
 * Calls `arrive` with the markup of each deployment, `withdraw` with the id of an entry to remove, and `report` with
 * 'live', 'reconnecting' or, while the page is hidden, 'still'. After a reconnect, the missed deployments come first.
 */
export function followStream(address, seen, { arrive, withdraw, report }) {
  let source
  let silence
  let retry

  open()
  document.addEventListener('visibilitychange', reopen)
  return { seen: () => seen, reopen }

  function open() {
    // A browser has six connections to a server, and pages in the background must not use them all.
    if (document.hidden) return report('still')
    const url = new URL(address, location.href)
    // The key of a screen that nobody signs in on.
    const key = new URLSearchParams(location.search).get('key')
    if (key !== null) url.searchParams.set('key', key)
    url.searchParams.set('after', seen)
    source = new EventSource(url)
    source.addEventListener('message', (event) => {
      hear(event)
      take(event.data)
    })
    for (const name of ['open', 'heartbeat', 'resumed']) {
      source.addEventListener(name, (event) => {
        hear(event)
        report('live')
      })
    }
    source.addEventListener('interrupted', (event) => {
      hear(event)
      report('reconnecting')
    })
    source.addEventListener('error', () => {
      report('reconnecting')
      // The stream was refused, for instance because the server is full: the browser does not retry.
      if (source.readyState === EventSource.CLOSED) reopenLater()
    })
    hear({})
  }

  function reopen() {
    clearTimeout(retry)
    clearTimeout(silence)
    source?.close()
    open()
  }

  function reopenLater() {
    const [least, most] = retryMs
    clearTimeout(retry)
    retry = setTimeout(reopen, least + Math.random() * (most - least))
  }

  function hear({ lastEventId }) {
    if (lastEventId) seen = Number(lastEventId)
    clearTimeout(silence)
    silence = setTimeout(() => {
      report('reconnecting')
      reopen()
    }, silenceMs)
  }

  function take(markup) {
    const [, id] = /^<li id="([\w-]+)" hx-swap-oob="delete">/.exec(markup) ?? []
    if (id === undefined) arrive(markup)
    else withdraw(id)
  }
}
