import { Html } from '@elysiajs/html'
import { minidenticon } from 'minidenticons'

const saturation = 48
const lightness = 43

/** The number of cached pictures: drawing them was a quarter of the cost of a page of 25 deployments. */
const maxKept = 10_000
const kept = new Map<string, string>()

/** A user's square picture, always the same for a username. Decoration, so hidden from screen readers. */
export function Identicon({ username }: { username: string }): JSX.Element {
  const known = kept.get(username)
  if (known !== undefined) return known
  const picture = String(<Picture username={username} />)
  if (kept.size >= maxKept) kept.clear()
  kept.set(username, picture)
  return picture
}

function Picture({ username }: { username: string }): JSX.Element {
  const { colour, path } = identiconOf(username)
  return (
    <svg class="identicon" viewBox="-1.5 -1.5 8 8" color={colour} aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

/** Its colour, and its outline in a square of 5 by 5. */
export function identiconOf(username: string): { readonly colour: string; readonly path: string } {
  const drawn = minidenticon(username, saturation, lightness)
  const [, colour = ''] = /fill="([^"]+)"/.exec(drawn) ?? []
  return { colour, path: outline(drawn) }
}

/** One path instead of up to 25 squares, which were the bulk of a page. Stacked squares are one bar. */
function outline(drawn: string): string {
  const bars: { x: number; y: number; height: number }[] = []
  for (const [, x, y] of drawn.matchAll(/<rect x="(\d)" y="(\d)"/g)) {
    const last = bars.at(-1)
    if (last !== undefined && last.x === Number(x) && last.y + last.height === Number(y)) last.height += 1
    else bars.push({ x: Number(x), y: Number(y), height: 1 })
  }
  return bars.map(({ x, y, height }) => `M${x} ${y}h1v${height}h-1z`).join('')
}
