// Puts arrivals into the list at once, or keeps them waiting while somebody reads.
import { wordAges } from './ages.js'
import { watchConnection } from './connection.js'
import { keepNewest, putOnTop } from './day-list.js'
import { showInTab } from './waiting-title.js'

/**
 * A tab may stay open for weeks, so the list is bounded while its reader is at the top, and so is what waits.
 */
const mostShown = 200
const mostWaiting = 100
/** For this long after a pointer moved over the list, nothing moves under it. */
const pointerRestMs = 5_000

const states = {
  live: 'Live',
  reconnecting: 'Reconnecting',
  polling: 'Every 20 seconds',
  paused: 'Paused',
}

export function followArrivals(list) {
  const bar = document.querySelector('#live')
  const state = document.querySelector('#live-state')
  const pause = document.querySelector('#pause')
  const waiting = document.querySelector('#waiting')
  const arrivals = document.querySelector('#arrivals')
  let connection = 'connecting'
  let isPaused = false
  let leftOut = 0
  let isDue = false

  const isPointedAt = watchPointer(list, () => letInOrWait())
  const isReading = () => isPaused || document.hidden || scrollY > list.offsetTop || isPointedAt()

  const letIn = () => {
    for (const entry of [...arrivals.children].slice(0, mostShown).reverse()) {
      wordAges(entry)
      putOnTop(entry, list)
    }
    arrivals.replaceChildren()
    leftOut = 0
    keepNewest(mostShown, list)
    showWaiting(waiting, arrivals, leftOut)
  }

  const letInOrWait = () => {
    if (!isReading()) return letIn()
    leftOut += leaveOutOldest(arrivals, list)
    showWaiting(waiting, arrivals, leftOut)
  }

  const letInWhatIsDue = () => {
    isDue = false
    letInOrWait()
  }

  watchConnection(arrivals, (now) => {
    connection = now
    showState(state, isPaused ? 'paused' : connection)
  })
  new MutationObserver((changes) => {
    for (const entry of changes.flatMap(({ addedNodes }) => [...addedNodes])) note(entry, arrivals, list)
    // Once a frame, however many arrive. A page in the background has no frames.
    if (document.hidden) letInOrWait()
    else if (!isDue) requestAnimationFrame(letInWhatIsDue)
    isDue = !document.hidden
  }).observe(arrivals, { childList: true })
  document.addEventListener('visibilitychange', letInOrWait)
  addEventListener('scroll', () => arrivals.childElementCount > 0 && letInOrWait(), { passive: true })

  pause.addEventListener('click', () => {
    isPaused = !isPaused
    pause.textContent = isPaused ? 'Resume' : 'Pause'
    showState(state, isPaused ? 'paused' : connection)
    letInOrWait()
  })
  waiting.addEventListener('click', () => {
    letIn()
    bar.scrollIntoView({ block: 'nearest' })
    // The button is gone, so the focus moves to what it let in.
    const links = [...(list.querySelector('.entry')?.querySelectorAll('a') ?? [])]
    links.find((link) => link.checkVisibility())?.focus({ preventScroll: true })
  })
  bar.hidden = false
}

/** Polls say how far the page has seen. What came between list and stream is in both, and shown once. */
function note(entry, arrivals, list) {
  const id = Number(entry.id?.replace('deployment-', '') ?? 0)
  if (id === 0) return
  if (list.querySelector(`#${entry.id}`) !== null) entry.remove()
  arrivals.dataset.seen = Math.max(arrivals.dataset.seen, id)
}

/** Replaces the oldest waiting entries beyond the bound by a gap, and gives how many these were. */
function leaveOutOldest(arrivals, list) {
  const tooMany = [...arrivals.querySelectorAll('.entry:not(.gap)')].slice(mostWaiting)
  if (tooMany.length === 0) return 0
  for (const entry of tooMany) entry.remove()
  if (arrivals.querySelector('.gap') === null) {
    const gap = list.querySelector('template').content.querySelector('.gap').cloneNode(true)
    gap.dataset.isCounted = ''
    arrivals.append(gap)
  }
  return tooMany.length
}

/**
 * Calls back when a pointer over the list rests or leaves. Returns the function that says whether one still
 * moves.
 */
function watchPointer(list, onRest) {
  let last = ''
  let until = 0
  let timer
  const rest = () => {
    clearTimeout(timer)
    until = 0
    onRest()
  }
  list.addEventListener('pointermove', ({ clientX, clientY }) => {
    // Browsers also report a move when the page moves under a resting pointer.
    const here = `${clientX} ${clientY}`
    if (here === last) return
    last = here
    until = Date.now() + pointerRestMs
    clearTimeout(timer)
    timer = setTimeout(rest, pointerRestMs)
  })
  list.addEventListener('pointerleave', () => until > 0 && rest())
  return () => Date.now() < until
}

/** A screen reader reads out each text that is set, so only a change sets it; likewise below. */
function showState(state, shown) {
  if (state.dataset.state === shown) return
  state.dataset.state = shown
  state.textContent = states[shown] ?? 'Connecting'
}

function showWaiting(waiting, arrivals, leftOut) {
  const count = arrivals.querySelectorAll('.entry:not(.gap)').length + leftOut
  // The server does not say how many entries it left out.
  const more = arrivals.querySelector('.gap:not([data-is-counted])') === null ? '' : '+'
  const inDigits = `${count.toLocaleString('en')}${more}`
  const text = count === 0 ? '' : `${inDigits} new deployment${count === 1 ? '' : 's'}`
  showInTab(count === 0 ? '' : inDigits)
  waiting.hidden = count === 0
  if (waiting.textContent !== text) waiting.textContent = text
}
