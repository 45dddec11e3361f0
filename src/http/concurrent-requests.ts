import { Elysia } from 'elysia'
import type { ClientAddress } from './client-address.ts'
import { Permits } from './permits.ts'
import { Problem } from './problem.ts'

/** How many polls from one address may be under way. A page polls if it gets no stream. */
export const pollsPerAddress = 30

/**
 * How long a request waits for one of the same address to end. Waiting also slows down clients that retry immediately.
 * A forge sends bursts of calls, gives each about ten seconds, and does not send a refused one again by itself.
 */
const defaultPatienceMs = 1_000
const intakePatienceMs = 8_000
const maxWaiting = 5_000

/**
 * Limits how many requests from one address are under way, on every route that is added after this plugin, so that one
 * client cannot fill the queue of the database. A stream counts only until it begins.
 */
export function concurrentRequests(clientAddress: ClientAddress, streamsPerAddress: number) {
  let waiting = 0
  const usual = perAddress(50)
  const intakes = perAddress(50)
  // An address may request all its streams at the same time.
  const streams = perAddress(streamsPerAddress + pollsPerAddress)
  const ofRoute: Readonly<Record<string, Permits | null>> = {
    'GET /feed/live': streams,
    'GET /api/deployments/live': streams,
    // The sign-ins of one address can fill only half of the queue for checking passwords (data/account/passwords.ts).
    'POST /sign-in': perAddress(30),
    'POST /api/in/:kind/:id': intakes,
    // Unlimited: many pipelines share an address, and one database statement records many of their calls.
    'POST /api': null,
  }

  return new Elysia({ name: 'concurrent-requests' })
    .decorate('freePermit', null as (() => void) | null)
    .onTransform({ as: 'global' }, async (context) => {
      const { request, route, server } = context
      const { [`${request.method} ${route}`]: permits = usual } = ofRoute
      if (permits === null) return
      const address = clientAddress(request, server)
      const patienceMs = permits === intakes ? intakePatienceMs : defaultPatienceMs
      waiting += 1
      const hasPermit = await permits.takeWithin(waiting > maxWaiting ? 0 : patienceMs, address)
      waiting -= 1
      if (!hasPermit) {
        const message = 'Your address has too many requests in progress. Try again in 2 seconds.'
        throw new Problem('rate_limited', message, { 'Retry-After': '2' })
      }
      context.freePermit = () => permits.free(address)
    })
    .onAfterResponse({ as: 'global' }, ({ freePermit }) => freePermit?.())
}

function perAddress(perAddress: number): Permits {
  return new Permits({ perAddress, total: Number.POSITIVE_INFINITY })
}
