// What happens to open pages when an account is deleted.
import { removeEmptyDays } from './day-list.js'

/** Removes all that a deleted account has posted, or says on its own pages that it is gone. */
export function forgetAccount(username, list) {
  if (list.dataset.of === username) {
    const gone = document.querySelector('#account-deleted')
    document.title = gone.content.querySelector('h1').textContent
    // By htmx, which ends the stream of what it replaces.
    htmx.swap({ target: document.querySelector('main'), text: gone.innerHTML, swap: 'innerHTML' })
    return
  }
  for (const entry of document.querySelectorAll(`.entry[data-by="${username}"]`)) entry.remove()
  removeEmptyDays(list)
}
