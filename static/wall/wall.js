// A wallboard: it shows arrivals at once and updates the numbers soon after, for months. Without this file
// the page reloads every minute.
import { keepAges, keepCurrent, serverNow } from './ages.js'
import { showNumbers } from './wall-numbers.js'
import { everyMs, refresh, soonMs } from './wall-refresh.js'
import { followStream } from './wall-stream.js'

/** As many as src/capabilities/wall/routes.tsx lists: the stylesheet shows seven, and hides bots. */
const maxKept = 21
/** Without a connection for this long, the wall says so. */
const patienceMs = 30_000
const pointerMs = 3_000

const stateInWords = { live: 'Live', reconnecting: 'Reconnecting', still: 'Every minute' }

const wall = document.querySelector('#wall')
const latest = document.querySelector('#latest')
const state = document.querySelector('#wall-state')
const clock = document.querySelector('#wall-clock')
const lost = document.querySelector('#wall-lost')

/** The arrivals since the last frame; a screen that is off has no frames. */
let arrived = []
let refreshing
let lostAt = null
let lastTick = Date.now()

keepCurrent(wall)
watchPointer()
setInterval(tick, 1_000)
setInterval(refreshNow, everyMs)
report('reconnecting')
const stream = followStream(wall.dataset.live, Number(wall.dataset.seen), { arrive, withdraw, report })
show()

function arrive(markup) {
  // A wallboard of environments has no list.
  if (latest === null) return refreshSoon()
  if (arrived.length === 0) requestAnimationFrame(letIn)
  arrived.push(markup)
  arrived = arrived.slice(-maxKept)
}

function letIn() {
  for (const markup of arrived) {
    const template = document.createElement('template')
    template.innerHTML = markup
    const entry = template.content.firstElementChild
    if (entry.id === '') continue
    document.getElementById(entry.id)?.remove()
    keepAges(entry)
    latest.prepend(entry)
  }
  arrived = []
  while (latest.childElementCount > maxKept) latest.lastElementChild.remove()
  keepHeadlineLinks()
  refreshSoon()
}

/**
 * Keeps only the links of headlines: the entries are so short that a finger could not hit the right one of two rows of
 * links.
 */
function keepHeadlineLinks() {
  for (const link of latest.querySelectorAll('.meta a')) {
    const text = document.createElement('span')
    text.className = link.className
    text.append(...link.childNodes)
    link.replaceWith(text)
  }
}

function withdraw(id) {
  if (latest === null) return refreshSoon()
  // It may have arrived since the last frame.
  letIn()
  document.getElementById(id)?.remove()
}

function refreshSoon() {
  const [least, most] = soonMs
  refreshing ??= setTimeout(refreshNow, least + Math.random() * (most - least))
}

async function refreshNow() {
  clearTimeout(refreshing)
  refreshing = undefined
  if (await refresh(stream.seen)) show()
}

function show() {
  keepAges(wall)
  if (latest !== null) {
    keepHeadlineLinks()
    showNumbers(serverNow())
  }
  setText(clock, timeOfDay(serverNow()))
}

/** Every second: updates the clock and the bar that reports a lost connection, and detects a screen that was asleep. */
function tick() {
  const now = Date.now()
  if (now - lastTick > patienceMs) {
    stream.reopen()
    refreshNow()
  }
  lastTick = now
  setText(clock, timeOfDay(serverNow()))
  const isLost = lostAt !== null && now - lostAt > patienceMs
  if (isLost) setText(lost, `Reconnecting since ${timeOfDay(new Date(lostAt))}`)
  lost.hidden = !isLost
}

/** Shows whether the stream is open and the server can read the feed. */
function report(now) {
  if (now === 'live' && state.dataset.state !== 'live') refreshSoon()
  lostAt = now === 'reconnecting' ? (lostAt ?? Date.now()) : null
  state.dataset.state = now
  setText(state, stateInWords[now])
}

function watchPointer() {
  const rest = () => document.body.classList.add('at-rest')
  let timer = setTimeout(rest, pointerMs)
  document.addEventListener('pointermove', () => {
    document.body.classList.remove('at-rest')
    clearTimeout(timer)
    timer = setTimeout(rest, pointerMs)
  })
}

function timeOfDay(instant) {
  const [hours, minutes] = [instant.getHours(), instant.getMinutes()]
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}
