// Refreshes the panels above a list (#overview: badges, numbers, year, targets) when the list changes, at once and then
// at a limited rate. Without this file they stay as they were when the page was loaded.

/** The shortest time between two refreshes. Including the response, the page is at most two seconds out of date. */
const minMs = 1_500
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
    if (isStale && timer === null) timer = setTimeout(refresh, Math.max(0, last + minMs - performance.now()))
  }

  const outdate = () => {
    isStale = true
    refreshSoon()
  }

  arrivals.addEventListener('htmx:after:swap', outdate)
  // A badge also changes as time passes.
  setInterval(outdate, outdatedMs)
  // An event during a refresh may be missing from it. A failed refresh is repeated when the stream returns.
  overview.addEventListener('htmx:finally:request', ({ detail }) => {
    isUnderWay = false
    if (detail.ctx.response?.status === 200) refreshSoon()
    else isStale = true
    if (detail.ctx.response?.status === 404) empty(overview)
  })
  arrivals.addEventListener('htmx:sse:after:connection', refreshSoon)
  document.addEventListener('visibilitychange', refreshSoon)
}

/** The last deployment to a project was withdrawn, so the project has no page until the next one. */
function empty(overview) {
  const hint = document.createElement('p')
  hint.className = 'hint'
  hint.textContent = 'There are no deployments here any more.'
  overview.replaceChildren(hint)
}

/** Within a page, browsers reuse an image by its address whatever its headers say, so it gets a new address. */
function loadAgain(badge) {
  const address = new URL(badge.src)
  address.searchParams.set('at', Date.now())
  badge.src = address.pathname + address.search
}
