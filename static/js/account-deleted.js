// What happens to open pages when an account is deleted.
import { removeEmptyDays } from './day-list.js'

/** Removes all that a deleted account has posted, or says on its own pages that it is gone. */
export function forgetAccount(username, list) {
  if (list.dataset.of === username) {
    sayGone(document.querySelector('main'), document.querySelector('#account-deleted'))
    return
  }
  for (const entry of document.querySelectorAll(`.entry[data-by="${username}"]`)) entry.remove()
  removeEmptyDays(list)
}

function sayGone(main, { dataset, innerHTML }) {
  // By htmx, which ends the stream of what it replaces.
  htmx.swap({ target: main, text: innerHTML, swap: 'innerHTML' })
  const heading = document.createElement('h1')
  heading.textContent = document.title = dataset.title
  main.prepend(heading)
}
