// Entries that a list shows together: runs, which share the head of their first entry, groups of bots, which are
// folded, and the stops of a release. Without this file they are as the server made them; with it, arrivals and older
// parts join them.

import { showJourneys, shownFor } from './journeys.js'

const hourMs = 3_600_000

/** Entries that were in the list at an earlier call. */
const settled = new WeakSet()

/**
 * Joins the runs and folds the bots of a list, and moves only nodes that are out of place. While the list may be read,
 * an entry that the reader sees is not folded.
 */
export function joinRuns(list, { isRead = true } = {}) {
  const days = [...list.querySelectorAll('.day > ol, .on-day')].map((items) => {
    const groups = groupsIn(items, foldsBots(list), isRead)
    const nodes = groups.map((group) => (group.length > 1 ? foldOf(group, list) : group[0]))
    place(nodes, items)
    for (const group of groups) join(group)
    return groups
  })
  const aloneIn = (groups) => groups.map((group) => (group.length > 1 ? null : group[0]))
  if (foldsBots(list)) {
    const stops = days.flatMap(aloneIn).filter((item) => item?.matches('.entry:not(.by-bot)'))
    showJourneys(stops, list, (entry) => !isRead || !settled.has(entry) || entry.matches('.passed'))
  }
  for (const groups of days) {
    join(aloneIn(groups).filter((item) => !item?.matches('.passed')))
    for (const entry of groups.flat()) settled.add(entry)
  }
}

/**
 * Whether a list folds bots. A search shows all that it found, and a list that had only bots at first shows all of
 * them, for as long as the page is open.
 */
function foldsBots(list) {
  if (list.dataset.folds === undefined) {
    const entries = [...list.querySelectorAll('.entry')]
    list.dataset.folds = entries.length === 0 || !entries.every(isByBot)
  }
  return list.dataset.folds === 'true'
}

/** Moves the focus to the first link of an entry, or to the fold that hides it. */
export function focusOn(entry) {
  const place = entry?.closest('.bots') ?? shownFor(entry)
  const stops = [...(place?.querySelectorAll('a, summary') ?? [])]
  stops.find((stop) => stop.checkVisibility({ visibilityProperty: true }))?.focus({ preventScroll: true })
}

/** The entries and lines of a list in their order, with adjacent entries of bots in one group. */
function groupsIn(items, isFolded, isRead) {
  const groups = []
  let isAfterBot = false
  for (const item of items.querySelectorAll(':scope > li:not(.bots), :scope > .bots > ol > li')) {
    const isSeen = isRead && settled.has(item) && item.parentElement === items
    const isBot = isFolded && isByBot(item) && !isSeen
    if (isBot && isAfterBot) groups.at(-1).push(item)
    else groups.push([item])
    isAfterBot = isBot
  }
  return groups
}

/** The fold that already has one of the entries, or else a new fold. It then has all of them. */
function foldOf(group, list) {
  const known = group.map((entry) => entry.closest('.bots')).find((fold) => fold !== null)
  const fold = known ?? list.querySelector('template').content.querySelector('.bots').cloneNode(true)
  const count = fold.querySelector('.count')
  if (count.textContent !== String(group.length)) count.textContent = group.length
  place(group, fold.querySelector('ol'))
  return fold
}

/** Makes these the children of a parent, in this order. */
function place(nodes, parent) {
  let next = parent.firstChild
  for (const node of nodes) {
    if (node === next) next = node.nextSibling
    else parent.insertBefore(node, next)
  }
  while (next !== null) {
    const rest = next
    next = next.nextSibling
    rest.remove()
  }
}

/** Marks, for each of these neighbours, whether it continues the run of the one above it. */
function join(neighbours) {
  neighbours.forEach((entry, n) => {
    if (entry === null || !entry.matches('.entry')) return
    const above = neighbours[n - 1] ?? null
    entry.classList.toggle('joined', above !== null && isOneRun(above, entry))
  })
}

function isOneRun(newer, older) {
  const project = projectOf(older)
  return project !== undefined && project === projectOf(newer) && timeOf(newer) - timeOf(older) <= hourMs
}

/** The address of the project's page, which also names the user. */
function projectOf(entry) {
  return entry.querySelector('.project')?.pathname
}

function timeOf(entry) {
  return Date.parse(entry.querySelector('time').dateTime)
}

function isByBot(item) {
  return item.matches('.by-bot')
}
