// htmx swaps forms in place and moves the focus. This adds the cases of an unreachable server and of a double click.

const unsent = 'The form did not reach the server. Check your connection and send it again.'

document.addEventListener('htmx:before:request', ({ detail }) => show(detail.ctx?.sourceElement, ''))
document.addEventListener('htmx:error', ({ detail }) => show(detail.ctx?.sourceElement, unsent))

// A form that is sent as a page is sent once, however often its button is pressed.
const sent = new Set()
document.addEventListener('submit', (event) => {
  const { target } = event
  if (target.method !== 'post' || target.hasAttribute('hx-post')) return
  if (sent.has(target)) event.preventDefault()
  sent.add(target)
})
// The page may come back from the browser's memory.
addEventListener('pageshow', () => sent.clear())

function show(source, text) {
  const place = source?.querySelector('.unsent')
  if (place) place.textContent = text
}
