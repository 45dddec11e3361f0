// Lays a link over each day of the heat map, or before the first deployment a cell, with a name for tooltips and screen
// readers, shows the text of a day below the map, and lets the arrow keys move between days. Without this file, the links
// are at "As a list".

import { afterSwap } from './after-swap.js'
// From src/views/parts/dates.ts.
import { dayOfYearInWords } from './dates.js'

const steps = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7, Home: -Infinity, End: Infinity }
const hint = matchMedia('(hover: none)').matches ? 'Tap a day' : ''
const pitch = 13
const dayMs = 24 * 60 * 60 * 1000

// In its own turn of the event loop: together with the work for the list, it would block a slow phone for too long.
setTimeout(begin)
afterSwap(begin)
document.addEventListener('keydown', walk)
document.addEventListener('pointerover', say)
document.addEventListener('focusin', say)

/** One day is in the tab order: the chosen one or the last at first, then the one that had the focus. */
function begin() {
  const map = document.querySelector('.year > svg')
  if (map === null) return
  const counts = map.dataset.counts.split(',').map(Number)
  const days = map.querySelector('.days')
  const before = Math.max(0, Number(map.dataset.first) - firstOf(map, counts))
  if (days.childElementCount === 0) {
    const cell = '<title></title><rect class="cell"></rect>'
    days.innerHTML =
      `<g tabindex="-1">${cell}</g>`.repeat(before) +
      `<a tabindex="-1">${cell}</a>`.repeat(counts.length - before)
    const chosen = Number(map.dataset.chosen) - firstOf(map, counts)
    ;(days.children[chosen] ?? days.lastElementChild).setAttribute('tabindex', '0')
    map.parentElement.removeAttribute('tabindex')
    document.querySelector('#heat-day').textContent = hint
  }
  // A day later, or with history that was added, more days have a list.
  for (const day of [...days.children].slice(before)) if (day.localName === 'g') makeLink(day)
  nameDays(map, days.children, counts)
}

function makeLink(day) {
  const link = document.createElementNS(day.namespaceURI, 'a')
  link.setAttribute('tabindex', day.getAttribute('tabindex'))
  link.append(...day.children)
  day.replaceWith(link)
}

function firstOf(map, counts) {
  return Number(map.dataset.today) - counts.length + 1
}

/** Puts each day in its place and names it. The elements are reused, so that the focus stays. */
function nameDays(map, days, counts) {
  const first = firstOf(map, counts)
  // Day 0, the first of January 1970, was a Thursday; a week begins on Monday.
  const weekday = (first + 3) % 7
  const rollbacks = new Map(map.dataset.rollbacks?.split(',').map((of) => of.split(':').map(Number)))
  for (const [n, day] of [...days].entries()) {
    const start = new Date((first + n) * dayMs)
    day.lastElementChild.setAttribute('x', Math.floor((n + weekday) / 7) * pitch)
    day.lastElementChild.setAttribute('y', ((n + weekday) % 7) * pitch)
    const text = `${dayOfYearInWords(start)}: ${counted(counts[n], 'deployment')}${withRollbacks(rollbacks.get(first + n))}`
    if (day.textContent !== text) day.firstElementChild.textContent = text
    if (day.localName === 'a')
      day.setAttribute('href', `${map.dataset.query}${start.toISOString().slice(0, 10)}#list`)
  }
}

function withRollbacks(count) {
  return count === undefined ? '' : `, ${counted(count, 'rollback')}`
}

function counted(count, what) {
  if (count === 0) return 'none'
  // The first number that is written for a language costs a slow phone some milliseconds.
  const written = count < 1_000 ? count : count.toLocaleString('en-GB')
  return `${written} ${what}${count === 1 ? '' : 's'}`
}

function walk(event) {
  const step = steps[event.key]
  const days = [...(event.target.closest?.('.days')?.children ?? [])]
  const from = days.indexOf(event.target)
  if (from === -1 || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  const day = days[Math.min(days.length - 1, Math.max(0, from + step))]
  days[from].setAttribute('tabindex', '-1')
  day.setAttribute('tabindex', '0')
  day.focus()
}

function say({ target }) {
  const said = target.closest?.('.days > *')?.textContent
  if (said !== undefined) document.querySelector('#heat-day').textContent = said
}
