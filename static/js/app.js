// Makes a list live. Without this file every page still shows everything when it is loaded again.
import { watchConnection } from './connection.js'
import './copy.js'
import { keepCurrent, putOnTop } from './day-list.js'
import './forms.js'
import './year-heat-map.js'
import { tellInTab } from './waiting-title.js'

const names = {
  live: 'Live',
  reconnecting: 'Reconnecting',
  polling: 'Every 20 seconds',
  paused: 'Paused',
}

const list = document.querySelector('#deployments')
const bar = document.querySelector('#live')

if (list !== null) {
  const update = keepCurrent(list)
  if (bar !== null) follow(list, bar, update)
}

/** Puts arrivals into the list at once, or keeps them waiting while somebody reads. */
function follow(list, bar, update) {
  const state = document.querySelector('#live-state')
  const pause = document.querySelector('#pause')
  const waiting = document.querySelector('#waiting')
  const arrivals = document.querySelector('#arrivals')
  let connection = 'connecting'
  let isPaused = false

  const isReading = () => isPaused || document.hidden || scrollY > list.offsetTop

  const letIn = () => {
    for (const entry of [...arrivals.children].reverse()) putOnTop(entry, list)
    update()
    showWaiting(waiting, arrivals)
  }

  const letInOrWait = () => {
    if (isReading()) showWaiting(waiting, arrivals)
    else letIn()
  }

  watchConnection(arrivals, (now) => {
    connection = now
    showState(state, isPaused ? 'paused' : connection)
  })
  new MutationObserver(() => {
    for (const entry of [...arrivals.children]) note(entry, arrivals, list)
    letInOrWait()
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
    list.querySelector('.entry a')?.focus({ preventScroll: true })
  })
  bar.hidden = false
}

/** Polls say how far the page has seen. What came between list and stream is in both, and shown once. */
function note(entry, arrivals, list) {
  const id = Number(entry.id.replace('deployment-', ''))
  if (id === 0) return
  if (list.querySelector(`#${entry.id}`) !== null) entry.remove()
  arrivals.dataset.seen = Math.max(arrivals.dataset.seen, id)
}

/** A screen reader reads out each text that is set, so only a change sets it; likewise below. */
function showState(state, shown) {
  if (state.dataset.state === shown) return
  state.dataset.state = shown
  state.textContent = names[shown] ?? 'Connecting'
}

function showWaiting(waiting, arrivals) {
  const count = arrivals.querySelectorAll('.entry:not(.gap)').length
  const more = arrivals.querySelector('.gap') === null ? '' : '+'
  const text = count === 0 ? '' : `${count}${more} new deployment${count === 1 ? '' : 's'}`
  tellInTab(count === 0 ? '' : `${count}${more}`)
  waiting.hidden = count === 0
  if (waiting.textContent !== text) waiting.textContent = text
}
