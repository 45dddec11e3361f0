// The stream of a wallboard. The browser comes back by itself after a loss; what it gives up is opened anew.

/** The server sends something every 15 s. After this silence the network has lost the stream. */
const silenceMs = 40_000
/** At random between these, so that not all walls come back at once after a restart. */
const retryMs = [5_000, 15_000]

/**
 * Calls `arrive` with the markup of each deployment, `withdraw` with the id of an entry that goes, and
 * `report` with whether the stream is there. What was missed meanwhile comes first.
 */
export function followStream(address, seen, { arrive, withdraw, report }) {
  let source
  let silence
  let retry

  open()
  return { seen: () => seen, reopen }

  function open() {
    const url = new URL(address, location.href)
    url.searchParams.set('after', seen)
    source = new EventSource(url)
    source.addEventListener('message', (event) => {
      hear(event)
      take(event.data)
    })
    for (const name of ['open', 'heartbeat', 'resumed']) {
      source.addEventListener(name, (event) => {
        hear(event)
        report(true)
      })
    }
    source.addEventListener('interrupted', (event) => {
      hear(event)
      report(false)
    })
    source.addEventListener('error', () => {
      report(false)
      // It was refused, for instance because the server has no place: the browser does not ask again.
      if (source.readyState === EventSource.CLOSED) reopenLater()
    })
    hear({})
  }

  function reopen() {
    clearTimeout(retry)
    source.close()
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
      report(false)
      reopen()
    }, silenceMs)
  }

  function take(markup) {
    const [, id] = /^<li id="([\w-]+)" hx-swap-oob="delete">/.exec(markup) ?? []
    if (id === undefined) arrive(markup)
    else withdraw(id)
  }
}
