// Keeps ages and the headings of days current by the server's clock. Without this file they stay as they were
// when the page was loaded.

import { afterSwap } from './after-swap.js'
// From src/views/parts/dates.ts.
import { dayHeading } from './dates.js'
import { asLocal, localDayOf } from './local-time.js'
// From src/domain/time.ts.
import { ageChangesAt, ageInWords, shortAge } from './time.js'

/** How late an age may change, in ms. */
const stepMs = 10_000

let ahead = 0
let today = ''

/** The ages by the step of `stepMs` in which their words change next. Weak, because most are removed before that. */
const due = new Map()
const steps = new WeakMap()

/** Keeps ages and headings current by the server's clock, which is in `data-now` of an element of the page. */
export function keepCurrent() {
  ahead = clockDifference()
  const update = () => {
    wordDueAges()
    wordHeadings()
  }
  keepAges(document)
  afterSwap(() => keepAges(document))
  document.addEventListener('visibilitychange', update)
  setInterval(update, stepMs)
  update()
}

/** Updates the ages in a part of the page now, and again whenever their words change. */
export function keepAges(part) {
  const now = serverNow()
  for (const time of part.querySelectorAll('time.age')) keepAge(time, now)
}

/** Sets the heading of a day: "Today", "Yesterday" or its date. */
export function wordHeading(day) {
  setText(day.querySelector('h2'), dayHeading(new Date(day.dataset.day), asLocal(serverNow())))
}

/** The present instant by the server's clock. */
export function serverNow() {
  return new Date(Date.now() + ahead)
}

function keepAge(time, now) {
  const then = new Date(time.dateTime)
  if (time.matches('.short')) setShortAge(time, shortAge(then, now))
  else setText(time, ageInWords(then, now))
  const step = Math.ceil(ageChangesAt(then, now) / stepMs)
  if (steps.get(time) === step) return
  steps.set(time, step)
  if (!due.has(step)) due.set(step, [])
  due.get(step).push(new WeakRef(time))
}

/** "3 h", and " ago" as a separate element that phones hide. */
function setShortAge(time, words) {
  if (time.textContent === words) return
  const [age, ago] = words.split(/(?= ago)/)
  time.textContent = age
  if (ago !== undefined) {
    const part = document.createElement('span')
    part.textContent = ago
    time.append(part)
  }
}

function wordDueAges() {
  const now = serverNow()
  for (const [step, ages] of due) {
    if (step * stepMs > now) continue
    due.delete(step)
    for (const age of ages) {
      const time = age.deref()
      // If the age was updated since, it is due in another step.
      if (time?.isConnected && steps.get(time) === step) keepAge(time, now)
    }
  }
}

function wordHeadings() {
  const day = localDayOf(serverNow())
  if (day === today) return
  today = day
  for (const each of document.querySelectorAll('.day')) wordHeading(each)
}

/**
 * How far the server's clock is ahead, in ms. A page from the browser's cache, even one that the server confirmed
 * with 304, tells an old time; then the difference of the last new page is used, or none.
 */
function clockDifference() {
  const [navigation] = performance.getEntriesByType('navigation')
  const { type, transferSize, encodedBodySize } = navigation ?? {}
  if (type === 'back_forward' || transferSize < encodedBodySize) return Number(tab.clockDifference ?? 0)
  const { now } = document.querySelector('[data-now]').dataset
  const difference = Date.parse(now) - Date.now()
  tab.clockDifference = difference
  return difference
}

/** What this tab remembers; a browser may refuse that. */
const tab = (() => {
  try {
    return sessionStorage
  } catch {
    return {}
  }
})()

/** Sets only a changed text, because browsers lay out and screen readers announce every text that is set. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}
