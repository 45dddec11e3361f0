// Lets the strip of the last 24 hours grow with each arrival. Without this file it stays as it was at loading.
// From src/domain/statistics/tally.ts.
import { barsOf } from './tally.js'

const day = 24
const hourMs = 60 * 60 * 1000

/** Counts the arrivals. `arrivals.js` must watch them first, because it drops those that the list already has. */
export function followPulse(pulse, arrivals, signal) {
  const hours = pulse.dataset.hours.split(',').map(Number)
  const total = pulse.querySelector('strong')
  const before = pulse.querySelector('.before')
  const bars = pulse.querySelector('path')

  const show = () => {
    total.textContent = sum(hours.slice(-day)).toLocaleString('en-GB')
    if (before !== null) {
      before.textContent = `${sum(hours.slice(0, -day)).toLocaleString('en-GB')} in the 24 hours before`
    }
    bars.setAttribute('d', barsOf(hours.slice(-day)))
  }

  new MutationObserver((changes) => {
    const entries = changes.flatMap(({ addedNodes }) => [...addedNodes])
    const arrived = entries.filter(({ id, isConnected }) => isConnected && id?.startsWith('deployment-'))
    if (arrived.length === 0) return
    hours[hours.length - 1] += arrived.length
    show()
  }).observe(arrivals, { childList: true })
  const timer = setInterval(() => {
    hours.shift()
    hours.push(0)
    show()
  }, hourMs)
  signal.addEventListener('abort', () => clearInterval(timer))
}

function sum(counts) {
  return counts.reduce((sum, count) => sum + count, 0)
}
