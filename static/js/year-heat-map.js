// Lays an element over each day of the heat map, named for a pointer and a screen reader; shows the text of a day
// below the map, and lets the arrow keys walk over the days. Without this file, all of them are behind "Day by
// day, in words".
import { dayOfYearInWords } from './calendar.js'
import { afterSwap } from './swaps.js'

const steps = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7, Home: -Infinity, End: Infinity }
const hint = matchMedia('(hover: none)').matches ? 'Tap a day' : 'Point at a day, or walk with the arrow keys'
const pitch = 13
const dayMs = 24 * 60 * 60 * 1000

begin()
afterSwap(begin)
document.addEventListener('keydown', walk)
document.addEventListener('pointerover', say)
document.addEventListener('focusin', say)

/** One day is in the tab order: the last one at first, then the one that had the focus. */
function begin() {
  const map = document.querySelector('.year > svg')
  if (map === null) return
  const counts = map.dataset.counts.split(',').map(Number)
  const days = map.querySelector('.days')
  if (days.childElementCount === 0) {
    days.innerHTML = '<rect class="cell"><title></title></rect>'.repeat(counts.length)
    days.lastElementChild.setAttribute('tabindex', '0')
    map.parentElement.removeAttribute('tabindex')
    document.querySelector('#heat-day').textContent = hint
  }
  nameDays(days.children, counts, Number(map.dataset.today) - counts.length + 1)
}

/** Puts each day in its place, and names it. They stay the same elements, so that one keeps the focus. */
function nameDays(days, counts, first) {
  // Day 0, the first of January 1970, was a Thursday; a week begins on Monday.
  const weekday = (first + 3) % 7
  for (const [n, day] of [...days].entries()) {
    day.setAttribute('x', Math.floor((n + weekday) / 7) * pitch)
    day.setAttribute('y', ((n + weekday) % 7) * pitch)
    const text = `${dayOfYearInWords(new Date((first + n) * dayMs))}: ${deployments(counts[n])}`
    if (day.textContent !== text) day.firstElementChild.textContent = text
  }
}

function deployments(count) {
  if (count === 0) return 'none'
  return `${count.toLocaleString('en-GB')} deployment${count === 1 ? '' : 's'}`
}

function walk(event) {
  const step = steps[event.key]
  const days = [...(event.target.closest?.('.days')?.children ?? [])]
  const from = days.indexOf(event.target)
  if (from === -1 || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  const day = days[Math.min(days.length - 1, Math.max(0, from + step))]
  days[from].removeAttribute('tabindex')
  day.setAttribute('tabindex', '0')
  day.focus()
}

function say({ target }) {
  const said = target.closest?.('.days > rect')?.textContent
  if (said !== undefined) document.querySelector('#heat-day').textContent = said
}
