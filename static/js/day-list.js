// The list of deployments under the days of the reader's zone; the server's days are in UTC.
import { serverNow, wordHeading } from './ages.js'
import { localDayOf } from './local-time.js'
import { joinRuns } from './runs.js'

/** Sorts entries from the server into the reader's days; an older part continues the last day before it. */
export function sortIntoDays(list) {
  for (const day of list.querySelectorAll('.day:not([data-sorted])')) {
    for (const entry of day.querySelectorAll('.entry')) {
      const before = day.previousElementSibling
      const key = dayOf(entry) ?? before?.dataset.day
      const home = before?.dataset.day === key ? before : newDay(key, list)
      if (home !== before) day.before(home)
      home.querySelector('ol').append(entry)
    }
    day.remove()
  }
  joinRuns(list)
}

/** Puts an entry at the top of its day. */
export function putOnTop(entry, list) {
  const first = list.querySelector('.day')
  // A gap has no time of its own: it belongs to the newest day.
  const key = dayOf(entry) ?? first?.dataset.day ?? localDayOf(serverNow())
  const home = first?.dataset.day === key ? first : newDay(key, list)
  if (home !== first) list.prepend(home)
  const entries = home.querySelector('ol')
  // Two gaps in a row are one.
  if (entry.matches('.gap') && entries.firstElementChild?.matches('.gap')) return
  entries.prepend(entry)
  list.querySelector('.empty')?.remove()
}

/** Keeps only the newest entries; "Older deployments" then goes on after them. */
export function keepNewest(count, list) {
  const entries = [...list.querySelectorAll('.entry:not(.gap)')]
  if (entries.length <= count || list.querySelector('.older[aria-busy=true]') !== null) return
  for (const entry of entries.slice(count)) entry.remove()
  const last = entries[count - 1]
  // A mark or a gap below it no longer divides anything.
  for (const rest of list.querySelectorAll('.gap, .since')) {
    if (last.compareDocumentPosition(rest) & Node.DOCUMENT_POSITION_FOLLOWING) rest.remove()
  }
  removeEmptyDays(list)
  beginOlder(idOf(last), list)
}

/** The id of the deployment that an entry shows, 0 for anything else. */
export function idOf(entry) {
  return Number(entry?.id?.replace('deployment-', '') ?? 0)
}

/** Removes days without entries, and joins the runs again. If no entry is left, the list says so. */
export function removeEmptyDays(list) {
  const empty = [...list.querySelectorAll('.day')].filter((day) => day.querySelector('.entry') === null)
  for (const day of empty) day.remove()
  if (empty.length > 0 && list.querySelector('.entry, .older') === null) list.prepend(copyOf('.empty', list))
  joinRuns(list)
}

function beginOlder(before, list) {
  if (list.querySelector('.older') === null) list.querySelector('template').before(copyOf('.older', list))
  const older = list.querySelector('.older')
  const link = older.querySelector('a')
  const address = new URL(link.href)
  address.searchParams.set('before', before)
  link.href = address.pathname + address.search
  link.setAttribute('hx-get', link.getAttribute('href'))
  htmx.process(older)
}

function dayOf(entry) {
  const time = entry.querySelector('time')
  return time === null ? undefined : localDayOf(new Date(time.dateTime))
}

function newDay(key, list) {
  const day = copyOf('.day', list)
  day.dataset.day = key
  day.dataset.sorted = ''
  wordHeading(day)
  return day
}

function copyOf(selector, list) {
  return list.querySelector('template').content.querySelector(selector).cloneNode(true)
}
