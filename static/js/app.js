// Makes a list live. Without this file every page still shows everything when it is loaded again.
import { keepCurrent } from './ages.js'
import { followArrivals, followWithoutList } from './arrivals.js'
import './contents.js'
import './copy.js'
import { removeEmptyDays, sortIntoDays } from './day-list.js'
import './unsent-forms.js'
import './keys.js'
import './local-time.js'
import './older.js'
import './overview.js'
import { countFound, onResults } from './search-form.js'
import './year-heat-map.js'

let ended = new AbortController()

// On plain http, Safari brings back even a page that must not be stored, which its reader may have signed out of.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && document.body.dataset.private !== undefined) location.reload()
})

if (document.querySelector('[data-now]') !== null) keepCurrent()
start()
onResults(start)
document.addEventListener('htmx:after:swap', () => {
  const list = document.querySelector('#deployments')
  if (list !== null) removeEmptyDays(list)
})

/** Starts what keeps the list current, and ends it for the list that a search has replaced. */
function start() {
  ended.abort()
  ended = new AbortController()
  const [list, arrivals] = [document.querySelector('#deployments'), document.querySelector('#arrivals')]
  const panels = document.querySelector('#overview')
  if (list === null && arrivals !== null && panels !== null) followWithoutList(arrivals, panels, ended.signal)
  if (list === null) return
  sortIntoDays(list)
  if (arrivals !== null) followArrivals(list, ended.signal)
  countFound(list)
}
