// The line below the entries that arrived while the tab was hidden: "3 new since you looked, 20 minutes ago".
import { keepAges, serverNow } from './ages.js'
import { idOf } from './day-list.js'

/**
 * Returns a function that marks the entries that have just entered the list, newest first. Entries that existed when
 * the reader came back are counted even if they arrive later. There is one mark, and a reload removes it.
 */
export function markSinceYouLooked(arrivals, list, signal) {
  let leftAt = null
  /** The last event that existed when the reader came back; infinite until that is known. */
  let until = 0
  let mark = null
  let counted = 0

  const leave = () => {
    if (!document.hidden) return
    leftAt = serverNow()
    until = Number.POSITIVE_INFINITY
    counted = 0
  }
  document.addEventListener('visibilitychange', leave, { signal })
  arrivals.addEventListener('current', () => {
    until = Math.min(until, arrivals.dataset.seen)
  })

  return (entries) => {
    const missed = entries.filter((entry) => idOf(entry) > 0 && idOf(entry) <= until)
    if (leftAt === null || missed.length === 0) return
    if (counted === 0) {
      mark?.remove()
      mark = newMark(leftAt, list)
      missed.at(-1).after(mark)
    }
    counted += missed.length
    const isCut = entries.some((entry) => entry.matches('.gap'))
    mark.querySelector('.count').textContent = `${counted.toLocaleString('en')}${isCut ? '+' : ''}`
  }
}

function newMark(leftAt, list) {
  const mark = list.querySelector('template').content.querySelector('.since').cloneNode(true)
  mark.querySelector('time').dateTime = leftAt.toISOString()
  keepAges(mark)
  return mark
}
