// The entries that wait to enter the list: a button and the tab's title show their number. arrivals.js decides when they
// wait and how many may.

/** Merges two adjacent gaps into one. Its number is known if both numbers are. */
function merge(gap) {
  if (!('isCounted' in gap.dataset)) delete gap.previousElementSibling.dataset.isCounted
  gap.remove()
}

/** The entries that wait in `arrivals`, and the button that lets them in. When `signal` aborts, none wait. */
export function waitingEntries(arrivals, list, signal) {
  const button = document.querySelector('#waiting')
  let leftOut = 0
  signal.addEventListener('abort', () => shown !== title && showInTab(''))

  return {
    button,

    /** The number of waiting entries; '' for none, and "100+" if the server left out an unknown number. */
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

    /** Keeps the newest entries up to a number, and replaces the others with one gap. */
    keepNewest(count) {
      const tooMany = [...arrivals.querySelectorAll('.entry:not(.gap)')].slice(count)
      if (tooMany.length > 0) {
        leftOut += tooMany.length
        for (const entry of tooMany) entry.remove()
        const gap = list.querySelector('template').content.querySelector('.gap').cloneNode(true)
        gap.dataset.isCounted = ''
        arrivals.append(gap)
      }
      for (const gap of arrivals.querySelectorAll('.gap + .gap')) merge(gap)
    },

    /** Removes and returns all waiting entries, newest first. */
    take() {
      const entries = [...arrivals.children]
      arrivals.replaceChildren()
      leftOut = 0
      return entries
    },
  }
}

let title = document.title
/** The title that was set last. A search sets another one. */
let shown = title
const icon = document.querySelector('link[rel=icon]')
const icons = { none: icon.href, waiting: new URL('favicon-waiting.svg', import.meta.url).href }

/** Takes the count as text, such as "3" or "50+"; '' if nothing waits. */
function showInTab(count) {
  if (document.title !== shown) title = document.title
  shown = count === '' ? title : `(${count}) ${title}`
  document.title = shown
  icon.href = count === '' ? icons.none : icons.waiting
}
