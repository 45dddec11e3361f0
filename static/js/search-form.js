// Clears the search field, and keeps the number of results current. The form itself searches as one types
// (src/capabilities/search/form.tsx).
import { idOf } from './day-list.js'

const form = document.querySelector('.search')
const field = form?.querySelector('input[type=search]')

if (form !== null) {
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing || field.value === '') return
    field.value = ''
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  form.querySelector('.clear').addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    field.value = ''
    field.focus()
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  // The address of the page is the same as without scripts, where it has no empty "q".
  form.addEventListener('htmx:config:request', ({ detail }) => {
    if (field.value.trim() === '') detail.ctx.request.body.delete('q')
  })
  onResults(() => {
    document.querySelector('#said').textContent = document.querySelector('#results .said')?.textContent ?? ''
  })
}

/** Calls back when the results of another search are in the page, before they follow their stream. */
export function onResults(listener) {
  document.addEventListener('htmx:after:settle', ({ target }) => target.id === 'results' && listener())
}

/** Keeps the number of all results current: with arrivals and withdrawals, but not what "Older deployments" adds. */
export function countFound(list) {
  const found = document.querySelector('#found')
  const noun = document.querySelector('#found-noun')
  if (found === null) return
  const idsInList = () => new Set([...list.querySelectorAll('.entry:not(.gap)')].map(idOf))
  let count = Number(found.textContent.replaceAll(',', ''))
  let known = idsInList()
  new MutationObserver(() => {
    const ids = idsInList()
    const newest = Math.max(0, ...known)
    // Entries with lower ids were cut from a long list, not withdrawn.
    const oldest = ids.size === 0 ? 0 : Math.min(...ids)
    count += [...ids].filter((id) => !known.has(id) && id > newest).length
    count -= [...known].filter((id) => !ids.has(id) && id > oldest).length
    known = ids
    found.textContent = count.toLocaleString('en-GB')
    noun.textContent = count === 1 ? noun.dataset.one : noun.dataset.many
  }).observe(list, { childList: true, subtree: true })
}
