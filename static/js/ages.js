// Keeps ages, and the headings of days, current by the server's clock. Without this file they are those of
// the moment when the page was loaded.
import { dayHeading } from './calendar.js'
import { asLocal } from './local-time.js'
import { ageInWords, shortAge } from './time.js'

const everyMs = 20_000

let ahead = 0

/** Keeps ages and headings current by the server's clock, which `list` carries. */
export function keepAges(list) {
  ahead = clockDifference(list)
  const update = () => {
    wordAges(document)
    for (const day of list.querySelectorAll('.day')) wordHeading(day)
  }
  document.addEventListener('visibilitychange', update)
  setInterval(update, everyMs)
  update()
}

export function wordAges(element) {
  const now = serverNow()
  for (const time of element.querySelectorAll('time.age')) {
    const then = new Date(time.dateTime)
    if (time.matches('.short')) setShortAge(time, shortAge(then, now))
    else setText(time, ageInWords(then, now))
  }
}

/** "3 h", and " ago" as a part of its own that phones do not show. */
function setShortAge(time, words) {
  if (time.textContent === words) return
  const [age, ago] = words.split(/(?= ago)/)
  time.textContent = age
  if (ago !== undefined) {
    const part = document.createElement('span')
    part.className = 'on-wide'
    part.textContent = ago
    time.append(part)
  }
}

/** Words the heading of a day: "Today", "Yesterday" or its date. */
export function wordHeading(day) {
  setText(day.querySelector('.date'), dayHeading(new Date(day.dataset.day), asLocal(serverNow())))
}

/** The present instant by the server's clock. */
export function serverNow() {
  return new Date(Date.now() + ahead)
}

/** How far the server's clock is ahead of ours. A page from the browser's cache has an old time. */
function clockDifference(list) {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation?.type === 'back_forward' ? 0 : Date.parse(list.dataset.now) - Date.now()
}

/** Sets only a changed text: browsers lay out, and screen readers read out, every text that is set. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}
