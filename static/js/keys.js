// Keys for the list and the search, which "?" shows (src/views/page/shortcuts.tsx). None of them does anything while a
// field has the focus, or after the reader has switched them off.
const shortcuts = document.querySelector('#shortcuts')
const isOn = document.querySelector('#single-keys')
const stored = 'single-keys'

const acts = {
  '/': () => {
    const field = document.querySelector('.search input[type=search]')
    field?.select()
    return field !== null
  },
  j: () => walk(1),
  k: () => walk(-1),
  '?': () => {
    shortcuts.togglePopover()
  },
}

if (shortcuts !== null) {
  isOn.checked = localStorage.getItem(stored) !== 'off'
  isOn.addEventListener('change', () => localStorage.setItem(stored, isOn.checked ? 'on' : 'off'))
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]')
    if (!isOn.checked || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
    const act = acts[event.key]
    if (act === undefined || act() === false) return
    event.preventDefault()
  })
}

/**
 * Moves the focus to the next entry (`step` 1) or the previous one (-1): to its headline, or to the fold that hides it.
 * After the last entry comes the link to older ones.
 */
function walk(step) {
  const stops = [
    ...document.querySelectorAll('#deployments :is(.subject > a, .bots > details > summary, .older a)'),
  ]
  const shown = stops.filter((stop) => stop.checkVisibility({ visibilityProperty: true }))
  const itemOf = (element) => element.closest('.entry, .older, .bots > details')
  const focused = itemOf(document.activeElement)
  const here = shown.findIndex((stop) => itemOf(stop) === focused)
  const next = shown[here < 0 ? 0 : here + step]
  next?.focus({ focusVisible: true, preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
  return next !== undefined
}
