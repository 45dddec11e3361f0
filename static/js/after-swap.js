// Lets other files act on everything that htmx puts into the page.

/** Calls back after each swap, except for swaps of arrivals, which still have to enter the list. */
export function afterSwap(listener) {
  document.addEventListener('htmx:after:swap', ({ target }) => target.id !== 'arrivals' && listener())
}
