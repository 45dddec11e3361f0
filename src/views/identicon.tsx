import { minidenticon } from 'minidenticons'

const saturation = 48
const lightness = 43

/** The square picture that stands for a user: the same for a username every time. Decoration, so hidden from readers. */
export function Identicon({ username }: { username: string }): JSX.Element {
  const ground = '<rect x="-1.5" y="-1.5" width="8" height="8" fill-opacity=".18"/>'
  const attributes = ' class="identicon" aria-hidden="true" shape-rendering="crispEdges"'
  return minidenticon(username, saturation, lightness).replace('>', `${attributes}>${ground}`)
}
