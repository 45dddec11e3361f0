// Shows days and exact times in the reader's own zone. Without this file they are in UTC, as the page says.

import { afterSwap } from './after-swap.js'
// From src/views/parts/dates.ts.
import { clockOf, dayInWords, instantInWords } from './dates.js'

/** Intl first loads what the browser knows of languages, which takes long on a phone. */
const zone =
  globalThis.Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC'
/** Browsers know some zones by outdated names. */
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
  // The list of a day is in UTC and shows times of day.
  const isInUtc = document.querySelector('time.clock') !== null
  const cityStart = zone.lastIndexOf('/') + 1
  const city = zone.slice(cityStart)
  const shownZone = zone.slice(0, cityStart) + (renamed[city] ?? city)
  if (place !== null)
    place.textContent = isInUtc ? 'Times on this page are UTC' : `Times are in your time zone, ${shownZone}`
  showLocalTimes()
  afterSwap(showLocalTimes)
  // Titles are set when a pointer or the focus reaches the element.
  document.addEventListener('pointerover', ({ target }) => writeTitle(target.closest?.('time[title]')))
  document.addEventListener('focusin', ({ target }) => writeTitle(target.querySelector('time[title]')))
}

function showLocalTimes() {
  for (const time of document.querySelectorAll('time.calendar-day, time.instant')) {
    const instant = new Date(time.dateTime)
    const local = asLocal(instant)
    time.textContent = dayInWords(local)
    if (time.matches('.instant')) time.append(`, ${clockOf(local)}`)
    time.title = inBothZones(instant)
  }
}

function writeTitle(time) {
  if (time === null || time === undefined) return
  time.title = inBothZones(new Date(time.dateTime))
}

/** "12 March 2026, 15:03 (Berlin time) · 14:03 UTC". */
function inBothZones(instant) {
  const isSameDay = dayInWords(asLocal(instant)) === dayInWords(instant)
  return `${inWords(instant)} · ${isSameDay ? `${clockOf(instant)} UTC` : instantInWords(instant)}`
}

/** "12 March 2026, 15:03 (Berlin time)". */
function inWords(instant) {
  const local = asLocal(instant)
  return `${dayInWords(local)}, ${clockOf(local)} (${place()} time)`
}

/** The city in the name of a zone, or "your" for a zone without one, such as Etc/GMT+5. */
function place() {
  const [area, city] = [zone.split('/')[0], zone.split('/').at(-1).replaceAll('_', ' ')]
  return area === 'Etc' || area === zone ? 'your' : (renamed[city] ?? city)
}
