import { Elysia } from 'elysia'
import { pngRenderer } from '../card/png.ts'
import { findCardFacts } from '../data/deployment-page.ts'
import type { Db } from '../database/db.ts'
import type { ClientAddress } from '../http/client-address.ts'
import { noSlot, Slots } from '../http/concurrency.ts'
import { anyOrigin, nosniff } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { deploymentIdOf, usernameIn } from '../http/query-parameters.ts'
import { etagOf, hasEtag } from '../http/responses.ts'
import { DeploymentCard, drawing } from '../views/deployment/card.tsx'

/** How many pictures may wait. Each takes about 25 ms to draw, in the only thread for them. */
const limits = { perAddress: 4, total: 16 }

/** A picture changes only with the display name and during its day, and disappears when it is withdrawn. */
const headers = {
  ...nosniff,
  ...anyOrigin,
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'public, max-age=3600',
}

type Options = { db: Db; clientAddress: ClientAddress }

/** GET /<username>/<id>/card.png: the picture of a deployment for link previews. */
export function card({ db, clientAddress }: Options) {
  const renderer = pngRenderer()
  const slots = new Slots(limits)

  return new Elysia({ name: 'card' }).get('/:username/:id/card.png', async ({ params, request, server }) => {
    const shown = await readCard(db, params)
    const tag = etagOf(JSON.stringify([drawing, shown]))
    const tagged = { ...headers, ETag: tag }
    if (hasEtag(request, tag)) return new Response(null, { status: 304, headers: tagged })
    const render = () => renderer.render(tag, () => String(DeploymentCard(shown)))
    const png = renderer.has(tag) ? await render() : await inPlace(clientAddress(request, server), render)
    return new Response(png, { headers: { ...tagged, 'Content-Type': 'image/png' } })
  })

  async function inPlace<Png>(address: string, render: () => Promise<Png>): Promise<Png> {
    if (!slots.hasRoomFor(address)) throw noSlot('pictures wait to be drawn', slots.areTaken)
    slots.take(address)
    try {
      return await render()
    } finally {
      slots.free(address)
    }
  }
}

async function readCard(db: Db, params: { username: string; id: string }) {
  const username = usernameIn(params.username)
  const id = deploymentIdOf(params.id)
  const found = username === null || id === null ? null : await findCardFacts(db, { username, id })
  if (found !== null) return found
  throw new Problem('not_found', 'There is no such deployment, or it was withdrawn.')
}
