// htmx swaps forms in place and moves the focus. This adds the case of an unreachable server.

const unsent = 'The form did not reach the server. Check your connection and send it again.'

document.addEventListener('htmx:before:request', ({ detail }) => show(detail.ctx?.sourceElement, ''))
document.addEventListener('htmx:error', ({ detail }) => show(detail.ctx?.sourceElement, unsent))

function show(source, text) {
  const place = source?.querySelector('.unsent')
  if (place) place.textContent = text
}
