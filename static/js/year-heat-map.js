// Shows the text of a heat map's day below it, and lets the arrow keys walk over the days. Without this file,
// a day's text is on hover, and all of them are behind "Day by day".
const steps = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7, Home: -Infinity, End: Infinity }

const map = document.querySelector('.year')

if (map !== null) follow(map, [...map.querySelectorAll('rect')], document.querySelector('#heat-day'))

/** One day is in the tab order: the last one at first, then the one that had the focus. */
function follow(map, days, text) {
  let current = days.length - 1
  map.removeAttribute('tabindex')
  days[current]?.setAttribute('tabindex', '0')
  text.textContent = 'Point at a day, or walk with the arrow keys'

  map.addEventListener('keydown', (event) => {
    const step = steps[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    days[current].removeAttribute('tabindex')
    current = Math.min(days.length - 1, Math.max(0, current + step))
    days[current].setAttribute('tabindex', '0')
    days[current].focus()
  })

  for (const kind of ['pointerover', 'focusin']) {
    map.addEventListener(kind, ({ target }) => {
      const said = target.querySelector('title')?.textContent
      if (said !== undefined) text.textContent = said
    })
  }
}
