import { Html } from '@elysiajs/html'
import { attribute } from './attribute.ts'
import { prepared } from './prepared.ts'
import { readableHost } from './readable-address.ts'

/** A text, escaped, in which http(s) addresses are links. */
export function linked(text: string): JSX.Element {
  if (!text.includes('://')) return attribute(text)
  let markup = ''
  let end = 0
  for (const { 0: found, index } of text.matchAll(/https?:\/\/[^\s<>"`\]]+/gi)) {
    const address = withoutPunctuation(found)
    if (!isPlain(address)) continue
    markup += attribute(text.slice(end, index)) + link({ address })
    end = index + address.length
  }
  return markup + attribute(text.slice(end))
}

const link = prepared<'address'>(({ address }) => (
  <a href={address} rel="nofollow ugc noreferrer" safe>
    {address}
  </a>
))

/** Leaves what ends a sentence, and a parenthesis that was opened before the address, outside of it. */
function withoutPunctuation(found: string): string {
  let unopened = found.split(')').length - found.split('(').length
  let end = found.length
  while (end > 0) {
    const last = found.charAt(end - 1)
    if (last === ')' && unopened > 0) unopened -= 1
    else if (!/[.,;:!?'*_}]/.test(last)) break
    end -= 1
  }
  return found.slice(0, end)
}

/** Whether an address shows where it leads: no letters in disguise in its host, and no name before it. */
function isPlain(address: string): boolean {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '') return false
  const [, , authority = ''] = address.split(/[/\\?#]/)
  return authority.toLowerCase().replace(/:\d*$/, '') === readableHost(url.hostname)
}
