// Refreshes a profile's badges, numbers, year and targets with its list. Without this file they stay as they
// were when the page was loaded.

/** The wait after the first news, for what comes with it; and the shortest time between refreshes. */
const soonMs = 300
const leastMs = 3_000

const overview = document.querySelector('#overview')
const arrivals = document.querySelector('#arrivals')

if (overview !== null && arrivals !== null) follow()

function follow() {
  let timer = null
  let last = Number.NEGATIVE_INFINITY
  let isStale = false

  const refresh = () => {
    timer = null
    if (document.hidden) return
    isStale = false
    last = performance.now()
    htmx.trigger(overview, 'refresh')
    for (const badge of document.querySelectorAll('img[src*="/badge/"]')) loadAgain(badge)
  }
  const refreshSoon = () => {
    if (!isStale || timer !== null) return
    timer = setTimeout(refresh, Math.max(soonMs, last + leastMs - performance.now()))
  }

  arrivals.addEventListener('htmx:after:swap', () => {
    isStale = true
    refreshSoon()
  })
  document.addEventListener('visibilitychange', refreshSoon)
}

/** Within a page, browsers reuse an image by its address whatever its headers say, so it gets a new one. */
function loadAgain(badge) {
  const address = new URL(badge.src)
  address.searchParams.set('at', Date.now())
  badge.src = address.pathname + address.search
}
