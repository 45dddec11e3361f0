// The line below what came while nobody looked at the tab: "3 new since you looked, 20 minutes ago".
import { keepAges, serverNow } from './ages.js'
import { idOf } from './day-list.js'

/**
 * Gives the function that marks entries which were just let in, the newest first. What was there when the reader came
 * back is counted, also if it takes its time to come. There is one mark, and it goes with the next load.
 */
export function markSinceYouLooked(arrivals, list) {
  let leftAt = null
  /** The last event that was there when the reader came back: without end until that is known. */
  let until = 0
  let mark = null
  let counted = 0

  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return
    leftAt = serverNow()
    until = Number.POSITIVE_INFINITY
    counted = 0
  })
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
