// Refreshes what a page says above its list (#overview: badges, numbers, year, targets) with the list, at once and then
// at most every so often. Without this file they stay as they were when the page was loaded.

/** The shortest time between two refreshes: with the answer, what the page says is never two seconds old. */
const leastMs = 1_500
const outdatedMs = 10 * 60_000

const overview = document.querySelector('#overview')
const arrivals = document.querySelector('#arrivals')

if (overview !== null && arrivals !== null) follow()

function follow() {
  let timer = null
  let last = Number.NEGATIVE_INFINITY
  let isStale = false
  let isUnderWay = false

  const refresh = () => {
    timer = null
    if (document.hidden || isUnderWay) return
    isStale = false
    isUnderWay = true
    last = performance.now()
    htmx.trigger(overview, 'refresh')
    for (const badge of document.querySelectorAll('img[src*="/badge/"]')) loadAgain(badge)
  }
  const refreshSoon = () => {
    if (isStale && timer === null)
      timer = setTimeout(refresh, Math.max(0, last + leastMs - performance.now()))
  }

  const outdate = () => {
    isStale = true
    refreshSoon()
  }

  arrivals.addEventListener('htmx:after:swap', outdate)
  // A badge also changes with time alone.
  setInterval(outdate, outdatedMs)
  // News that came amid a refresh may have come too late for it. One that failed is made up for with the stream.
  overview.addEventListener('htmx:finally:request', ({ detail }) => {
    isUnderWay = false
    if (detail.ctx.response?.status === 200) refreshSoon()
    else isStale = true
    if (detail.ctx.response?.status === 404) empty(overview)
  })
  arrivals.addEventListener('htmx:sse:after:connection', refreshSoon)
  document.addEventListener('visibilitychange', refreshSoon)
}

/** The last deployment to a project was withdrawn: it has no page any more, until the next one. */
function empty(overview) {
  const hint = document.createElement('p')
  hint.className = 'hint'
  hint.textContent = 'Nothing that was deployed here is left.'
  overview.replaceChildren(hint)
}

/** Within a page, browsers reuse an image by its address whatever its headers say, so it gets a new one. */
function loadAgain(badge) {
  const address = new URL(badge.src)
  address.searchParams.set('at', Date.now())
  badge.src = address.pathname + address.search
}
