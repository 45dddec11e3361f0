// Lays a link over each day of the heat map, with a name for tooltips and screen readers, shows the text of a day
// below the map, and lets the arrow keys move between days. Without this file, the links are at "As a list".

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
  if (days.childElementCount === 0) {
    days.innerHTML = '<a><title></title><rect class="cell"></rect></a>'.repeat(counts.length)
    for (const day of days.children) day.setAttribute('tabindex', '-1')
    const chosen = Number(map.dataset.chosen) - firstOf(map, counts)
    ;(days.children[chosen] ?? days.lastElementChild).setAttribute('tabindex', '0')
    map.parentElement.removeAttribute('tabindex')
    document.querySelector('#heat-day').textContent = hint
  }
  nameDays(map, days.children, counts)
}

function firstOf(map, counts) {
  return Number(map.dataset.today) - counts.length + 1
}

/** Puts each day in its place and names it. The elements are reused, so that the focus stays. */
function nameDays(map, days, counts) {
  const first = firstOf(map, counts)
  // Day 0, the first of January 1970, was a Thursday; a week begins on Monday.
  const weekday = (first + 3) % 7
  for (const [n, day] of [...days].entries()) {
    const start = new Date((first + n) * dayMs)
    day.lastElementChild.setAttribute('x', Math.floor((n + weekday) / 7) * pitch)
    day.lastElementChild.setAttribute('y', ((n + weekday) % 7) * pitch)
    const text = `${dayOfYearInWords(start)}: ${deployments(counts[n])}`
    if (day.textContent !== text) day.firstElementChild.textContent = text
    if (first + n < Number(map.dataset.first)) continue
    day.setAttribute('href', `${map.dataset.query}${start.toISOString().slice(0, 10)}#list`)
  }
}

function deployments(count) {
  if (count === 0) return 'none'
  // The first number that is written for a language costs a slow phone some milliseconds.
  const written = count < 1_000 ? count : count.toLocaleString('en-GB')
  return `${written} deployment${count === 1 ? '' : 's'}`
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
  const said = target.closest?.('.days > a')?.textContent
  if (said !== undefined) document.querySelector('#heat-day').textContent = said
}
