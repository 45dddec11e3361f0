// Counts the day in the reader's own zone, because the server's day is in UTC.
// From src/domain/statistics/tally.ts.
import { barHeight, countDay } from './tally.js'

/** Shows the number of deployments today, by this time yesterday, and in each hour. */
export function showNumbers(now) {
  const numbers = document.querySelector('#wall-numbers')
  const counts = numbers.dataset.counts.split(',').map(Number)
  const tally = { from: Number(numbers.dataset.from), counts }
  const { today, yesterdayByNow, hours } = countDay(tally, boundsOf(now))
  document.querySelector('#wall-count').textContent = today.toLocaleString('en-GB')
  document.querySelector('#wall-yesterday').textContent =
    yesterdayByNow === null ? '' : `${yesterdayByNow.toLocaleString('en-GB')} by this time yesterday`
  numbers.querySelector('.wall-zone').textContent = ''
  drawBars(hours, now.getHours())
}

function boundsOf(now) {
  const [year, month, date] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const at = (days, hours) => new Date(year, month, date + days, hours).getTime()
  return {
    hours: Array.from({ length: 25 }, (_, hour) => at(0, hour)),
    yesterday: at(-1, 0),
    yesterdayNow: at(-1, now.getHours()) + now.getMinutes() * 60_000,
  }
}

function drawBars(hours, current) {
  const most = Math.max(1, ...hours)
  for (const [hour, bar] of document.querySelectorAll('#wall-bars rect').entries()) {
    const height = barHeight(hours[hour], most)
    bar.setAttribute('y', 24 - height)
    bar.setAttribute('height', height)
    bar.setAttribute('class', hours[hour] === 0 ? 'none' : hour === current ? 'current' : 'past')
  }
}
