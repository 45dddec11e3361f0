// Makes a list live. Without this file every page still shows everything when it is loaded again.
import { ageInWords } from './age.js'
import { dayHeading } from './calendar.js'

const list = document.querySelector('#deployments')
const bar = document.querySelector('#live')

if (list !== null) keepCurrent(list)
if (list !== null && bar !== null) follow(list, bar)

/** Ages and day headings, by the server's clock. */
function keepCurrent(list) {
  const ahead = Date.parse(list.dataset.now) - Date.now()

  const update = () => {
    const now = new Date(Date.now() + ahead)
    for (const time of list.querySelectorAll('time.age')) {
      time.textContent = ageInWords(new Date(time.dateTime), now)
    }
    for (const day of list.querySelectorAll('.day')) {
      day.querySelector('.date').textContent = dayHeading(new Date(day.dataset.day), now)
      if (day.querySelector('li') === null) day.remove()
    }
  }
  document.addEventListener('htmx:after:swap', update)
  setInterval(update, 20_000)
}

function follow(list, bar) {
  const state = document.querySelector('#live-state')
  const pause = document.querySelector('#pause')
  const waiting = document.querySelector('#waiting')
  const arrivals = document.querySelector('#arrivals')
  const names = { live: 'Live', reconnecting: 'Reconnecting', polling: 'Every 20 seconds', paused: 'Paused' }
  let connection = 'reconnecting'
  let isPaused = false
  bar.hidden = false

  const show = (news = {}) => {
    connection = news.connection ?? connection
    const shown = isPaused ? 'paused' : connection
    state.dataset.state = shown
    state.textContent = names[shown]
    pause.textContent = isPaused ? 'Resume' : 'Pause'
    const count = arrivals.childElementCount
    waiting.hidden = count === 0
    waiting.textContent = `${count} new deployment${count === 1 ? '' : 's'}`
  }

  // The connection, as hx-sse tells it.
  arrivals.addEventListener('htmx:sse:before:connection', ({ detail }) => {
    if (detail.connection.attempt > 0) show({ connection: 'reconnecting' })
  })
  arrivals.addEventListener('htmx:sse:after:connection', () => show({ connection: 'live' }))
  arrivals.addEventListener('htmx:sse:error', () => show({ connection: 'reconnecting' }))
  arrivals.addEventListener('htmx:sse:close', () => show({ connection: 'reconnecting' }))
  arrivals.addEventListener('htmx:error', () => show({ connection: 'reconnecting' }))
  arrivals.addEventListener('htmx:after:request', ({ detail }) => {
    // Where the server has no stream left it answers with what is new, and htmx asks again.
    const { status, headers } = detail.ctx.response
    if (headers.get('Content-Type')?.includes('text/event-stream')) return
    show({ connection: status < 300 ? 'polling' : 'reconnecting' })
  })
  // And the server itself, when it cannot read the log.
  arrivals.addEventListener('interrupted', () => show({ connection: 'reconnecting' }))
  arrivals.addEventListener('resumed', () => show({ connection: 'live' }))

  // A first connection and a poll say what the page has seen; a stream that comes back does so by itself.
  arrivals.addEventListener('htmx:config:request', ({ detail }) => {
    const address = new URL(detail.ctx.request.action, location.href)
    address.searchParams.set('after', arrivals.dataset.seen)
    detail.ctx.request.action = address.pathname + address.search
  })

  // What arrives is put into the list at once, or waits while somebody reads.
  const isReading = () => isPaused || scrollY > list.offsetTop
  const letIn = () => {
    for (const entry of [...arrivals.children].reverse()) put(entry, list)
    show()
  }
  new MutationObserver(() => {
    for (const entry of [...arrivals.children]) {
      const id = Number(entry.id.replace('deployment-', ''))
      if (id > 0 && list.querySelector(`#${entry.id}`) !== null) entry.remove()
      arrivals.dataset.seen = Math.max(arrivals.dataset.seen, id || 0)
    }
    if (isReading()) show()
    else letIn()
  }).observe(arrivals, { childList: true })
  addEventListener('scroll', () => isReading() || letIn(), { passive: true })

  pause.addEventListener('click', () => {
    isPaused = !isPaused
    if (isReading()) show()
    else letIn()
  })
  waiting.addEventListener('click', () => {
    letIn()
    list.querySelector('.entry a')?.focus({ preventScroll: true })
    scrollTo({ top: 0 })
  })
}

/** Puts an entry at the top of its day. */
function put(entry, list) {
  const day = (entry.querySelector('time')?.dateTime ?? new Date().toISOString()).slice(0, 10)
  const first = list.querySelector('.day')
  const section = first?.dataset.day === day ? first : newDay(day, list)
  section.querySelector('ol').prepend(entry)
  list.querySelector('.empty')?.remove()
}

function newDay(day, list) {
  const section = list.querySelector('template').content.firstElementChild.cloneNode(true)
  section.dataset.day = day
  list.prepend(section)
  return section
}
