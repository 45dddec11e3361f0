// The stops of one release in a day are one row: the newest of them, with the way of the release up to there, also from
// earlier days. Without this file they are as the server made them (src/domain/feed/grouping.ts); with it, arrivals and
// older parts join them.

// From src/domain/time.ts.
import { shortDuration } from './time.js'

/** From src/domain/feed/grouping.ts. */
const maxStops = 8

/** The entries that stand for those that are hidden. */
const heads = new WeakMap()

/**
 * Shows each row of these entries, newest first, by its newest one of each day, and hides the others, of which `mayHide`
 * says whether it may.
 */
export function showJourneys(entries, list, mayHide) {
  const rows = new Set()
  const latest = new Map()
  for (const entry of entries) {
    const stop = stopOf(entry)
    if (stop === null) continue
    const known = stop.names.map((name) => latest.get(name)).find((row) => row && isNext(stop, row))
    const isOfRow = known !== undefined && (!isOneDay(known.at(-1), stop) || mayHide(entry))
    const row = isOfRow ? known : []
    row.push(stop)
    rows.add(row)
    for (const name of stop.names) latest.set(name, row)
  }
  for (const row of rows) show(row, list)
}

/** The entry that is shown in the place of an entry. */
export function shownFor(entry) {
  return entry?.matches('.passed') ? heads.get(entry) : entry
}

/** What an entry says of the release that came to an environment; null for any other entry. */
function stopOf(entry) {
  const release = entry.querySelector('.meta > [data-stop]')
  if (release === null) return null
  const [stage, commit, target] = release.dataset.stop.split(' ')
  const version = release.querySelector('.version')?.textContent
  const of = `${entry.dataset.by} ${target}`
  const names = commit === '' ? [] : [`${of} ^${commit}`]
  if (version !== undefined) names.push(`${of} v${version}`)
  return {
    entry,
    names,
    stage,
    commit,
    version,
    environment: release.querySelector('.environment').textContent,
  }
}

function isNext(older, row) {
  return row.length < maxStops && row.every((one) => isOnward(older, one) && isSameRelease(one, older))
}

function isOnward(from, to) {
  if (from.environment.toLowerCase() === to.environment.toLowerCase()) return false
  return from.stage === '' || to.stage === '' || from.stage <= to.stage
}

function isSameRelease(one, other) {
  if (one.commit !== '' && other.commit !== '') return one.commit === other.commit
  return one.version !== undefined && one.version === other.version
}

function isOneDay(one, other) {
  return one.entry.parentElement === other.entry.parentElement
}

function show(row, list) {
  let head
  for (const [n, stop] of row.entries()) {
    const { entry } = stop
    const isPassed = n > 0 && isOneDay(row[n - 1], stop)
    entry.classList.toggle('passed', isPassed)
    if (isPassed) {
      entry.classList.remove('joined')
      heads.set(entry, head)
    } else head = entry
    const shown = entry.querySelector('.journey')
    const stops = row.slice(n)
    if (isPassed || stops.length === 1) {
      shown?.remove()
      continue
    }
    const journey = journeyOf(stops.toReversed(), list)
    if (shown === null) entry.querySelector('article').append(journey)
    else if (shown.innerHTML !== journey.innerHTML) shown.replaceWith(journey)
  }
}

/** Takes the stops with the oldest first. */
function journeyOf(stops, list) {
  const journey = list.querySelector('template').content.querySelector('.journey').cloneNode(true)
  const model = journey.firstElementChild
  const items = stops.map(({ entry, environment }, n) => {
    const item = model.cloneNode(true)
    const leg = item.querySelector('.leg')
    if (n === 0) leg.remove()
    else {
      const text = leg.lastElementChild
      text.textContent = shortDuration(timeOf(entry) - timeOf(stops[n - 1].entry)) ?? text.textContent
    }
    item.querySelector('a').setAttribute('href', entry.querySelector('.subject > a').getAttribute('href'))
    item.querySelector('.tag').textContent = environment
    return item
  })
  journey.replaceChildren(...items)
  return journey
}

function timeOf(entry) {
  return Date.parse(entry.querySelector('time').dateTime)
}
