import { Elysia } from 'elysia'
import type { ClientAddress } from './client-address.ts'
import { Places } from './places.ts'
import { Problem } from './problem.ts'

type Options = {
  readonly clientAddress: ClientAddress
  /** How many streams an address may have, all of which may begin together. */
  readonly streamsPerAddress: number
}

/** How many polls of an address may be under way: a page polls if it gets no stream. */
export const pollsPerAddress = 30

/** How long a refusal is delayed. While `maxDelayed` are waiting, further ones are sent at once. */
const delayMs = 1_000
const maxDelayed = 5_000

/**
 * Limits how many requests of one address are under way, on every route that is added after it. A stream
 * counts until it begins. This keeps one client from filling the queue of the database or making others wait.
 */
export function underWay({ clientAddress, streamsPerAddress }: Options) {
  let delayed = 0
  const usual = perAddress(50)
  const streams = perAddress(streamsPerAddress + pollsPerAddress)
  const ofRoute: Readonly<Record<string, Places | null>> = {
    'GET /feed/live': streams,
    'GET /api/deployments/live': streams,
    // Half of the sign-ins that may wait for their password to be checked (data/account/credentials.ts).
    'POST /sign-in': perAddress(30),
    // Unlimited: many pipelines share an address, and their calls share a few statements.
    'POST /api': null,
  }

  return new Elysia({ name: 'under-way' })
    .decorate('freePlace', null as (() => void) | null)
    .onTransform({ as: 'global' }, async (context) => {
      const { request, route, server } = context
      const { [`${request.method} ${route}`]: places = usual } = ofRoute
      if (places === null) return
      const address = clientAddress(request, server)
      if (!places.hasRoomFor(address)) throw await refused()
      places.take(address)
      context.freePlace = () => places.free(address)
    })
    .onAfterResponse({ as: 'global' }, ({ freePlace }) => freePlace?.())

  /** The problem for a request over the limit, delayed so that retrying at once causes little load. */
  async function refused(): Promise<Problem> {
    if (delayed < maxDelayed) {
      delayed += 1
      await Bun.sleep(delayMs)
      delayed -= 1
    }
    return new Problem(
      'rate_limited',
      'Too many requests from your address are under way. Try again in 2 s.',
      { headers: { 'Retry-After': '2' } },
    )
  }
}

function perAddress(perAddress: number): Places {
  return new Places({ perAddress, total: Number.POSITIVE_INFINITY })
}
