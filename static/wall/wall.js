// A wallboard: what arrives is shown at once, the numbers soon after, and both for months. Without this file
// the page loads itself every minute.
import { keepAges, keepCurrent, serverNow } from './ages.js'
import { showNumbers } from './wall-numbers.js'
import { refresh } from './wall-refresh.js'
import { followStream } from './wall-stream.js'

/** The latest, and six in one line each. */
const mostShown = 7
/**
 * Numbers follow an arrival within these, at random so that not all walls ask at once; and not sooner than the
 * server reads them anew, or the last arrival would be missing.
 */
const soonMs = [2_500, 5_500]
/** And without an arrival: an hour begins, somebody withdraws, the server has a new release. */
const everyMs = 60_000
/** Without a connection for this long, the wall says so. */
const patienceMs = 30_000
const pointerMs = 3_000

const wall = document.querySelector('#wall')
const latest = document.querySelector('#latest')
const state = document.querySelector('#wall-state')
const clock = document.querySelector('#wall-clock')
const lost = document.querySelector('#wall-lost')

/** What arrived since the last frame; a screen that is off has no frames. */
let arrived = []
let refreshing
let lostAt = null
let lastTick = Date.now()

keepCurrent(wall)
watchPointer()
setInterval(tick, 1_000)
setInterval(refreshNow, everyMs)
const stream = followStream(wall.dataset.live, Number(wall.dataset.seen), { arrive, withdraw, report })
report(false)
show()

function arrive(markup) {
  if (arrived.length === 0) requestAnimationFrame(letIn)
  arrived.push(markup)
  arrived = arrived.slice(-mostShown)
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
  while (latest.childElementCount > mostShown) latest.lastElementChild.remove()
  keepHeadlineLinks()
  refreshSoon()
}

/** A line of a wall is too low for fingers to tell two rows of links apart. */
function keepHeadlineLinks() {
  for (const link of latest.querySelectorAll('.meta > a[href]')) link.removeAttribute('href')
}

function withdraw(id) {
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
  keepAges(latest)
  keepHeadlineLinks()
  showNumbers(serverNow())
  setText(clock, timeOfDay(serverNow()))
}

/** Each second: the clock, the bar that says that there is no connection, and whether the screen was asleep. */
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

/** Whether the stream is there, and the server can read the feed. */
function report(isLive) {
  if (isLive && lostAt !== null) refreshSoon()
  lostAt = isLive ? null : (lostAt ?? Date.now())
  state.dataset.state = isLive ? 'live' : 'reconnecting'
  setText(state, isLive ? 'Live' : 'Reconnecting')
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
