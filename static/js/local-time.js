// Shows days and exact times in the reader's own zone. Without this file they are in UTC, and say so.
import { clockOf, dayInWords, instantInWords } from './calendar.js'

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC'
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
  showLocalTimes()
  document.addEventListener('htmx:after:swap', showLocalTimes)
  // Titles are written when somebody comes near.
  document.addEventListener('pointerover', ({ target }) => writeTitle(target.closest?.('time[title]')))
  document.addEventListener('focusin', ({ target }) => writeTitle(target.querySelector('time[title]')))
}

function showLocalTimes() {
  for (const time of document.querySelectorAll('time.calendar-day, time.instant')) {
    const instant = new Date(time.dateTime)
    time.textContent = time.matches('.instant') ? inWords(instant) : dayInWords(asLocal(instant))
    time.title = `${inWords(instant)} · ${instantInWords(instant)}`
  }
}

function writeTitle(time) {
  if (time === null || time === undefined) return
  const instant = new Date(time.dateTime)
  time.title = `${inWords(instant)} · ${instantInWords(instant)}`
}

/** "12 March 2026, 07:03:22 your time"; the zone's own name is often one that its people gave up. */
function inWords(instant) {
  const local = asLocal(instant)
  return `${dayInWords(local)}, ${clockOf(local)} your time`
}
