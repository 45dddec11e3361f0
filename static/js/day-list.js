// The list of deployments under their days.

import { dayHeading } from './calendar.js'
import { ageInWords } from './time.js'

const everyMs = 20_000

/** Keeps ages and headings current by the server's clock. Returns the function that does it at once. */
export function keepCurrent(list) {
  const ahead = clockDifference(list)

  const update = () => {
    const now = new Date(Date.now() + ahead)
    for (const time of list.querySelectorAll('time.age')) {
      setText(time, ageInWords(new Date(time.dateTime), now))
    }
    for (const day of list.querySelectorAll('.day')) {
      tidy(day)
      setText(day.querySelector('.date'), dayHeading(new Date(day.dataset.day), now))
    }
  }
  document.addEventListener('htmx:after:swap', update)
  document.addEventListener('visibilitychange', update)
  setInterval(update, everyMs)
  update()
  return update
}

/** Puts an entry at the top of its day. */
export function putOnTop(entry, list) {
  dayOf(entry, list).querySelector('ol').prepend(entry)
  list.querySelector('.empty')?.remove()
}

/** How far the server's clock is ahead of ours. A page from the browser's cache has an old time. */
function clockDifference(list) {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation?.type === 'back_forward' ? 0 : Date.parse(list.dataset.now) - Date.now()
}

/** Removes days without deployments, and merges a day that "Older deployments" continues. */
function tidy(day) {
  const before = day.previousElementSibling
  if (before?.dataset.day === day.dataset.day)
    before.querySelector('ol').append(...day.querySelectorAll('li'))
  if (day.querySelector('li') === null) day.remove()
}

function dayOf(entry, list) {
  const first = list.querySelector('.day')
  // A gap has no time of its own: it belongs to the newest day.
  const day =
    entry.querySelector('time')?.dateTime.slice(0, 10) ?? first?.dataset.day ?? list.dataset.now.slice(0, 10)
  return first?.dataset.day === day ? first : newDay(day, list)
}

function newDay(day, list) {
  const section = list.querySelector('template').content.firstElementChild.cloneNode(true)
  section.dataset.day = day
  list.prepend(section)
  return section
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}
