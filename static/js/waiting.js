// What waits to be let into the list: bounded, and counted in a button and in the tab.
import { showInTab } from './waiting-title.js'

const mostWaiting = 100

/** The entries that wait in `arrivals`, and the button that lets them in. */
export function waitingEntries(arrivals, list) {
  const button = document.querySelector('#waiting')
  let leftOut = 0

  return {
    button,

    /** How many wait, in digits; '' for none. The server does not say how many it left out: "100+". */
    count() {
      const count = arrivals.querySelectorAll('.entry:not(.gap)').length + leftOut
      const more = arrivals.querySelector('.gap:not([data-is-counted])') === null ? '' : '+'
      return count === 0 ? '' : `${count.toLocaleString('en')}${more}`
    },

    show() {
      const count = this.count()
      const text = count === '' ? '' : `${count} new deployment${count === '1' ? '' : 's'}`
      showInTab(count)
      button.hidden = count === ''
      if (button.textContent !== text) button.textContent = text
    },

    /** Replaces the oldest beyond the bound by a gap. */
    keepNewest() {
      const tooMany = [...arrivals.querySelectorAll('.entry:not(.gap)')].slice(mostWaiting)
      if (tooMany.length === 0) return
      leftOut += tooMany.length
      for (const entry of tooMany) entry.remove()
      if (arrivals.querySelector('.gap') !== null) return
      const gap = list.querySelector('template').content.querySelector('.gap').cloneNode(true)
      gap.dataset.isCounted = ''
      arrivals.append(gap)
    },

    /** Gives all that wait, the newest first; none wait any more. */
    take() {
      const entries = [...arrivals.children]
      arrivals.replaceChildren()
      leftOut = 0
      return entries
    },
  }
}
