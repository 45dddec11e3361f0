// Shows days and exact times in the reader's own zone. Without this file they are in UTC, and say so.
import { clockOf, dayInWords, instantInWords } from './calendar.js'
import { afterSwap } from './swaps.js'

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC'
/** Browsers know some zones by names that their people gave up. */
const renamed = {
  Calcutta: 'Kolkata',
  Godthab: 'Nuuk',
  Katmandu: 'Kathmandu',
  Kiev: 'Kyiv',
  Rangoon: 'Yangon',
  Saigon: 'Ho Chi Minh City',
}
const isUtc = /^(Etc\/)?(UTC|GMT|Zulu|Universal)$/.test(zone)

/** The instant whose UTC fields read like the given instant in the reader's zone. */
export function asLocal(instant) {
  return new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000)
}

/** The reader's day that an instant falls on, as 2026-03-12. */
export function localDayOf(instant) {
  return asLocal(instant).toISOString().slice(0, 10)
}

if (!isUtc) {
  const place = document.querySelector('#zone')
  if (place !== null) place.textContent = `Times are yours: ${zone}`
  showLocalTimes()
  afterSwap(showLocalTimes)
  // Titles are written when somebody comes near.
  document.addEventListener('pointerover', ({ target }) => writeTitle(target.closest?.('time[title]')))
  document.addEventListener('focusin', ({ target }) => writeTitle(target.querySelector('time[title]')))
}

function showLocalTimes() {
  for (const time of document.querySelectorAll('time.calendar-day, time.instant')) {
    const instant = new Date(time.dateTime)
    time.textContent = time.matches('.instant') ? inWords(instant) : dayInWords(asLocal(instant))
    time.title = inBothZones(instant)
  }
}

function writeTitle(time) {
  if (time === null || time === undefined) return
  time.title = inBothZones(new Date(time.dateTime))
}

/** "12 March 2026, 15:03 in Berlin · 14:03 UTC". */
function inBothZones(instant) {
  const isSameDay = dayInWords(asLocal(instant)) === dayInWords(instant)
  return `${inWords(instant)} · ${isSameDay ? `${clockOf(instant)} UTC` : instantInWords(instant)}`
}

/** "12 March 2026, 15:03 in Berlin". */
function inWords(instant) {
  const local = asLocal(instant)
  return `${dayInWords(local)}, ${clockOf(local)} ${place()}`
}

/** The city that a zone is named by; some, such as Etc/GMT+5, have none. */
function place() {
  const [area, city] = [zone.split('/')[0], zone.split('/').at(-1).replaceAll('_', ' ')]
  return area === 'Etc' || area === zone ? 'your time' : `in ${renamed[city] ?? city}`
}
