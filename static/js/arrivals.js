// Puts arrivals into the list at once, or keeps them waiting while the list is being read.
import { forgetAccount } from './account-deleted.js'
import { keepAges } from './ages.js'
import { stateInWords, watchConnection } from './connection-state.js'
import { idOf, keepNewest, putOnTop } from './day-list.js'
import { watchReader } from './reader-activity.js'
import { focusOn, joinRuns } from './runs.js'
import { markSinceYouLooked } from './since-you-looked.js'
import { waitingEntries } from './waiting.js'

/** A tab may stay open for weeks, so the list is bounded while its reader is at the top. */
const maxShown = 200
const maxWaiting = 100

/** Follows the arrivals of a list until `signal` aborts. */
export function followArrivals(list, signal) {
  const bar = document.querySelector('#live')
  const state = document.querySelector('#live-state')
  const pause = document.querySelector('#pause')
  const arrivals = document.querySelector('#arrivals')
  arrivals.dataset.seen = document.querySelector('#moment').dataset.seen
  const waiting = waitingEntries(arrivals, list, signal)
  const mark = markSinceYouLooked(arrivals, list, signal)
  let connection = 'connecting'
  let isPaused = false
  let isDue = false

  const isRead = watchReader(list, () => arrivals.childElementCount > 0 && letInOrWait(), signal)

  const letIn = () => {
    waiting.keepNewest(maxShown)
    const entries = waiting.take()
    for (const entry of entries.toReversed()) {
      keepAges(entry)
      putOnTop(entry, list)
      entry.classList.add('arrived')
    }
    mark(entries)
    keepNewest(maxShown, list)
    joinRuns(list, { isRead: false })
    waiting.show()
  }

  const letInOrWait = () => {
    if (!isPaused && !isRead()) return letIn()
    waiting.keepNewest(maxWaiting)
    waiting.show()
  }

  const letInWhatIsDue = () => {
    isDue = false
    letInOrWait()
  }

  const report = async (now) => {
    // A search takes the list out of the page a moment after the stream ends.
    await null
    if (!arrivals.isConnected) return
    connection = now
    showState(state, isPaused ? 'paused' : connection)
  }
  watchConnection(arrivals, report, signal)
  new MutationObserver((changes) => {
    for (const entry of changes.flatMap(({ addedNodes }) => [...addedNodes])) note(entry, arrivals, list)
    // At most once per frame. A page in the background has no frames.
    if (document.hidden) letInOrWait()
    else if (!isDue) requestAnimationFrame(letInWhatIsDue)
    isDue = !document.hidden
  }).observe(arrivals, { childList: true })
  list.addEventListener('animationend', ({ target, animationName }) => {
    if (animationName === 'tint') target.classList.remove('arrived')
  })

  pause.addEventListener('click', () => {
    isPaused = !isPaused
    pause.textContent = isPaused ? 'Resume' : 'Pause'
    pause.classList.toggle('resume', isPaused)
    showState(state, isPaused ? 'paused' : connection)
    letInOrWait()
  })
  waiting.button.addEventListener('click', () => {
    letIn()
    bar.scrollIntoView({ block: 'nearest' })
    // The button is hidden now, so the focus moves to the first entry that it let in.
    focusOn(list.querySelector('.day li'))
  })
  bar.hidden = false
}

/**
 * Follows the events of a page that shows no list, until `signal` aborts: overview.js refreshes its panels. `panels`
 * names their user in `data-of`.
 */
export function followWithoutList(arrivals, panels, signal) {
  const state = document.querySelector('#live-state')
  arrivals.dataset.seen = document.querySelector('#moment').dataset.seen
  watchConnection(arrivals, (connection) => showState(state, connection), signal)
  new MutationObserver((changes) => {
    for (const entry of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      note(entry, arrivals, panels)
      entry.remove()
    }
  }).observe(arrivals, { childList: true })
  document.querySelector('#live').hidden = false
}

/** Records how far the page has seen, and drops an entry that the list already has. */
function note(entry, arrivals, list) {
  if (entry.dataset?.deleted !== undefined) {
    entry.remove()
    forgetAccount(entry.dataset.deleted, list)
  }
  const id = idOf(entry)
  if (id === 0) return
  if (list.querySelector(`#${entry.id}`) !== null) entry.remove()
  arrivals.dataset.seen = Math.max(arrivals.dataset.seen, id)
}

/** Sets only a changed text, because a screen reader announces every text that is set. */
function showState(state, shown) {
  if (state.dataset.state === shown) return
  // That a page is live is said only if it was not before.
  state.ariaLive = state.dataset.state === 'connecting' && shown === 'live' ? 'off' : 'polite'
  state.dataset.state = shown
  state.textContent = stateInWords[shown] ?? 'Connecting'
}
