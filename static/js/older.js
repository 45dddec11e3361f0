// Loads "Older deployments" below the list. Without this file the link leads to a page of them.
import { sortIntoDays } from './day-list.js'
import { focusOn } from './runs.js'

const names = { ready: 'Older deployments', busy: 'Loading…', failed: 'Try again' }
const failed = {
  offline: 'The request did not reach the server. Check your connection.',
  refused: 'The server could not answer just now.',
}

/** The link that was followed, htmx's object of its request, and the last entry above it. */
let asked = null
let asking = null
let last = null

on('htmx:before:request', (older, request) => {
  asked = older
  asking = request
  last = entries().at(-1)
  show(older, { isBusy: true, advice: '' })
})
on('htmx:error', (older) => show(older, { isBusy: false, advice: failed.offline }))
on('htmx:after:request', (older, { response }) => {
  if (response?.status >= 400) show(older, { isBusy: false, advice: failed.refused })
})
document.addEventListener('htmx:after:swap', ({ detail }) => {
  if (asked === null || asked.isConnected) return
  // The answer replaces the link that asked for it. So does a search, which leaves nothing to continue.
  asked = null
  if (detail.ctx !== asking) return
  sortIntoDays(document.querySelector('#deployments'))
  const shown = entries()
  focusOn(shown[shown.indexOf(last) + 1])
})

function on(name, listener) {
  document.addEventListener(name, ({ detail }) => {
    const older = detail.ctx?.sourceElement?.closest('.older')
    if (older) listener(older, detail.ctx)
  })
}

function show(older, { isBusy, advice }) {
  older.setAttribute('aria-busy', isBusy)
  older.querySelector('a').textContent = isBusy ? names.busy : advice === '' ? names.ready : names.failed
  older.querySelector('[role=alert]').textContent = advice
}

function entries() {
  return [...document.querySelectorAll('#deployments .entry')]
}
