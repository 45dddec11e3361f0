// Shows the text of a heat map's day below it, and lets the arrow keys walk over the days. Without this file,
// a day's text is on hover, and all of them are behind "Day by day".
const steps = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7, Home: -Infinity, End: Infinity }
const hint = matchMedia('(hover: none)').matches ? 'Tap a day' : 'Point at a day, or walk with the arrow keys'

begin()
document.addEventListener('htmx:after:swap', begin)
document.addEventListener('keydown', walk)
document.addEventListener('pointerover', say)
document.addEventListener('focusin', say)

/** One day is in the tab order: the last one at first, then the one that had the focus. */
function begin() {
  const map = document.querySelector('.year[tabindex]')
  if (map === null) return
  map.removeAttribute('tabindex')
  map.querySelector('g:last-of-type rect:last-of-type')?.setAttribute('tabindex', '0')
  document.querySelector('#heat-day').textContent = hint
}

function walk(event) {
  const step = steps[event.key]
  const days = [...(event.target.closest?.('.year')?.querySelectorAll('rect') ?? [])]
  const from = days.indexOf(event.target)
  if (from === -1 || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  const day = days[Math.min(days.length - 1, Math.max(0, from + step))]
  days[from].removeAttribute('tabindex')
  day.setAttribute('tabindex', '0')
  day.focus()
}

function say({ target }) {
  const said = target.closest?.('.year rect')?.querySelector('title')?.textContent
  if (said !== undefined) document.querySelector('#heat-day').textContent = said
}
