// What htmx puts into the page.

/** Calls back after each swap but those of arrivals, which are on their way into the list. */
export function afterSwap(listener) {
  document.addEventListener('htmx:after:swap', ({ target }) => target.id !== 'arrivals' && listener())
}
