// Keeps ages, and the headings of days, current by the server's clock. Without this file they are those of
// the moment when the page was loaded.
import { dayHeading } from './calendar.js'
import { asLocal, localDayOf } from './local-time.js'
import { afterSwap } from './swaps.js'
import { ageChangesAt, ageInWords, shortAge } from './time.js'

/** An age may be late by so much. */
const stepMs = 10_000

let ahead = 0
let today = ''

/** By the number of the step in which its words change: each age. Weakly, since most entries leave before. */
const due = new Map()
const steps = new WeakMap()

/** Keeps ages and headings current by the server's clock, which a list carries, or a page without one. */
export function keepCurrent(list) {
  ahead = clockDifference(list)
  const update = () => {
    wordDueAges()
    wordHeadings(list)
  }
  keepAges(document)
  afterSwap(() => keepAges(document))
  document.addEventListener('visibilitychange', update)
  setInterval(update, stepMs)
  update()
}

/** Words the ages in a part of the page now, and again whenever their words change: no other is touched. */
export function keepAges(part) {
  const now = serverNow()
  for (const time of part.querySelectorAll('time.age')) keepAge(time, now)
}

/** Words the heading of a day: "Today", "Yesterday" or its date. */
export function wordHeading(day) {
  setText(day.querySelector('.date'), dayHeading(new Date(day.dataset.day), asLocal(serverNow())))
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

function wordDueAges() {
  const now = serverNow()
  for (const [step, ages] of due) {
    if (step * stepMs > now) continue
    due.delete(step)
    for (const age of ages) {
      const time = age.deref()
      // One that was reworded since is due at another step.
      if (time?.isConnected && steps.get(time) === step) keepAge(time, now)
    }
  }
}

function wordHeadings(list) {
  const day = localDayOf(serverNow())
  if (day === today) return
  today = day
  for (const each of list.querySelectorAll('.day')) wordHeading(each)
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
