// What open pages show after an account was deleted.
import { removeEmptyDays } from './day-list.js'

/** Removes everything that a deleted account has posted, or says on its own pages that it was deleted. */
export function forgetAccount(username, list) {
  if (list.dataset.of === username) {
    sayGone(document.querySelector('main'), document.querySelector('#account-deleted'))
    return
  }
  for (const entry of document.querySelectorAll(`.entry[data-by="${username}"]`)) entry.remove()
  removeEmptyDays(list)
}

function sayGone(main, { dataset, innerHTML }) {
  // htmx closes the stream of the part that it replaces.
  htmx.swap({ target: main, text: innerHTML, swap: 'innerHTML' })
  const heading = document.createElement('h1')
  heading.textContent = document.title = dataset.title
  main.prepend(heading)
}
