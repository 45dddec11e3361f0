import { Elysia } from 'elysia'
import { pngRenderer } from '../card/png.ts'
import { findCard } from '../data/permanent.ts'
import type { Db } from '../database/db.ts'
import { Places } from '../http/address-limits.ts'
import type { ClientAddress } from '../http/client-address.ts'
import { isKnown, tagOf } from '../http/conditional.ts'
import { anyOrigin, nosniff } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { idOf, usernameIn } from '../http/query.ts'
import { Card } from '../views/deployment/card/card.tsx'
import { noPlace } from './no-place.ts'

/** Pictures that may wait to be drawn. Each takes some 25 ms, and there is one thread for them. */
const limits = { perAddress: 4, total: 16 }

/** It changes with a display name and within its day alone, and is gone when it is withdrawn. */
const headers = {
  ...nosniff,
  ...anyOrigin,
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'public, max-age=3600',
}

type Options = { db: Db; clientAddress: ClientAddress }

/** GET /<username>/<id>/card.png: the picture of a deployment for whoever unfurls its link. */
export function card({ db, clientAddress }: Options) {
  const renderer = pngRenderer()
  const places = new Places(limits)

  return new Elysia({ name: 'card' }).get('/:username/:id/card.png', async ({ params, request, server }) => {
    const svg = String(Card(await readCard(db, params)))
    const tagged = { ...headers, ETag: tagOf(svg) }
    if (isKnown(tagged.ETag, request)) return new Response(null, { status: 304, headers: tagged })
    const png = renderer.has(svg)
      ? await renderer.render(svg)
      : await draw(svg, clientAddress(request, server))
    return new Response(png, { headers: { ...tagged, 'Content-Type': 'image/png' } })
  })

  async function draw(svg: string, address: string) {
    if (!places.hasRoomFor(address)) throw noPlace('pictures wait to be drawn', places.areTaken)
    places.take(address)
    try {
      return await renderer.render(svg)
    } finally {
      places.free(address)
    }
  }
}

async function readCard(db: Db, params: { username: string; id: string }) {
  const username = usernameIn(params.username)
  const id = idOf(params.id)
  const found = username === null || id === null ? null : await findCard(db, { username, id })
  if (found !== null) return found
  throw new Problem('not_found', 'There is no such deployment, or it was withdrawn.')
}
