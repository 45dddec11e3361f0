import { Html } from '@elysiajs/html'
import { urlOf } from '../../domain/field-parsing.ts'
import { escaped, template } from './markup.ts'
import { readableHost } from './readable-address.ts'

/** A text, escaped, in which http(s) addresses are links. */
export function linked(text: string): JSX.Element {
  if (!text.includes('://')) return escaped(text)
  let markup = ''
  let end = 0
  for (const { 0: found, index } of text.matchAll(/https?:\/\/[^\s<>"`\]]+/gi)) {
    const address = withoutPunctuation(found)
    if (!isHonest(address)) continue
    markup += escaped(text.slice(end, index)) + link({ address })
    end = index + address.length
  }
  return markup + escaped(text.slice(end))
}

const link = template<'address'>(({ address }) => (
  <a href={address} rel="nofollow ugc noreferrer">
    {address}
  </a>
))

/** Without the punctuation of the sentence at the end, and a parenthesis that was opened before the address. */
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

/** A host of ASCII letters and digits that cannot be an IPv4 address: parsing it would change nothing. */
const certainlyPlain = /^(?:[a-z\d-]{1,63}\.){0,9}[a-z][a-z\d-]{0,62}$/

/** Whether an address shows where it leads: no lookalike letters in its host, and no username in front of it. */
export function isHonest(address: string): boolean {
  const [, , authority = ''] = address.split(/[/\\?#]/)
  if (certainlyPlain.test(authority) && !authority.includes('xn--')) return true
  const url = urlOf(address)
  if (url === null || url.username !== '' || url.password !== '') return false
  return authority.toLowerCase().replace(/:\d*$/, '') === readableHost(url.hostname)
}
