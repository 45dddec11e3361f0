// Keys for the list and the search: "?" shows them. None of them does anything while a field has the focus.
const keys = [
  ['/', 'Search'],
  ['j', 'Next deployment'],
  ['k', 'Previous deployment'],
  ['?', 'Show or hide the shortcuts'],
]
const searches = [
  ['cache', 'words that begin like this'],
  ['"hot cache"', 'this phrase'],
  ['-draft', 'without this word'],
  ['@ada', 'by this person'],
  ['github.com/ada', 'to this host or project'],
  ['env:production', 'to this environment'],
  ['category:bug_fix', 'of this category'],
]

let popover = null

const acts = {
  '/': () => {
    const field = document.querySelector('.search input[type=search]')
    field?.select()
    return field !== null
  },
  j: () => walk(1),
  k: () => walk(-1),
  '?': () => {
    help().togglePopover()
  },
}

const list = document.querySelector('#deployments')

if (list !== null) {
  document.querySelector('#keys').addEventListener('click', acts['?'])
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]')
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return
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

function help() {
  if (popover !== null) return popover
  popover = document.createElement('div')
  popover.className = 'keys panel'
  popover.popover = 'auto'
  popover.setAttribute('role', 'dialog')
  popover.setAttribute('aria-label', 'Keyboard shortcuts')
  popover.append(heading('Keyboard shortcuts'), listOf(keys, 'kbd'))
  if (document.querySelector('.search') !== null)
    popover.append(heading('Search for'), listOf(searches, 'code'))
  document.body.append(popover)
  return popover
}

function heading(text) {
  const heading = document.createElement('h2')
  heading.textContent = text
  return heading
}

function listOf(rows, name) {
  const list = document.createElement('dl')
  for (const [typed, meaning] of rows) {
    const term = document.createElement('dt')
    const description = document.createElement('dd')
    term.append(document.createElement(name))
    term.firstChild.textContent = typed
    description.textContent = meaning
    list.append(term, description)
  }
  return list
}
