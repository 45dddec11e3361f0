// Makes a list live. Without this file every page still shows everything when it is loaded again.
import { keepCurrent } from './ages.js'
import { followArrivals, followWithoutList } from './arrivals.js'
import './contents.js'
import './copy.js'
import { removeEmptyDays, sortIntoDays } from './day-list.js'
import './forms.js'
import './local-time.js'
import './older.js'
import './overview.js'
import { followPulse } from './pulse.js'
import './search.js'
import './year-heat-map.js'

const list = document.querySelector('#deployments')

if (list !== null) {
  sortIntoDays(list)
  keepCurrent(list)
  document.addEventListener('htmx:after:swap', () => removeEmptyDays(list))
  const arrivals = document.querySelector('#arrivals')
  if (arrivals !== null) followArrivals(list)
  const pulse = document.querySelector('#pulse')
  if (pulse !== null) followPulse(pulse, arrivals)
} else {
  const page = document.querySelector('[data-now]')
  if (page !== null) keepCurrent(page)
  const [arrivals, panels] = [document.querySelector('#arrivals'), document.querySelector('#overview')]
  if (arrivals !== null && panels !== null) followWithoutList(arrivals, panels)
}
