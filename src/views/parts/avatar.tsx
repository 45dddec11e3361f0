import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { template } from './markup.ts'

/** The number of colours, each 45 degrees from the next: more could not be told apart at 20 px. */
const tints = 8

/** A user's picture, always the same for a username: two letters on a tint. Decoration, so hidden from screen readers. */
export function Avatar({ username }: { username: string }): JSX.Element {
  const { letters, tint } = avatarOf(username)
  return picture({ letters, tint: String(tint) })
}

/** The stylesheet draws the letters, so they are neither copied with the text around them nor found in the page. */
const picture = template<'letters' | 'tint'>(({ letters, tint }) => (
  <span class={`avatar tint-${tint}`} data-letters={letters} aria-hidden="true" />
))

/** Whose page it is, as a link to their profile. */
export function PageOwner({ user: { username, name } }: { user: User }): JSX.Element {
  return (
    <p class="owner">
      <a class="quiet" href={`/${username}`}>
        <Avatar username={username} />
        <bdi safe>{name}</bdi>
      </a>
    </p>
  )
}

/** The beginnings of the first two words of a username, or its first two letters; and the number of its tint. */
export function avatarOf(username: string): { readonly letters: string; readonly tint: number } {
  const [first = '', second] = username.split('-')
  const letters = second === undefined ? first.slice(0, 2) : first.charAt(0) + second.charAt(0)
  return { letters: letters.toUpperCase(), tint: tintOf(username) }
}

export function coloursOf(tint: number): { readonly letters: string; readonly ground: string } {
  const hue = (tint * 360) / tints
  return { letters: `hsl(${hue} 55% 30%)`, ground: `hsl(${hue} 50% 90%)` }
}

/** FNV-1a, of which the high bits are the most mixed. */
function tintOf(username: string): number {
  let hash = 0x811c9dc5
  for (let n = 0; n < username.length; n += 1) {
    hash = Math.imul(hash ^ username.charCodeAt(n), 0x01000193)
  }
  return (hash >>> 0) % tints
}
