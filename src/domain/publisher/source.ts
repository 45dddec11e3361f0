import type { Identity } from './claims.ts'

/** The jobs of an issuer that is no forge: one `sub`, those that begin alike, or those with one claim. Never a pattern. */
type Source =
  | { readonly kind: 'sub' | 'beginning'; readonly text: string }
  | { readonly kind: 'claim'; readonly name: string; readonly value: string }

/**
 * Reads what an owner typed: `name=value` is a claim, a text that ends with a separator (`:` or `/`) a beginning of
 * `sub`, and all else a whole `sub`, for which `sub=…` can be written, too.
 */
export function sourceIn(text: string): Source {
  const [, name, value = ''] = /^([\w.:/-]+)=(.*)$/s.exec(text) ?? []
  if (name !== undefined) return { kind: 'claim', name, value }
  return { kind: /[:/]$/.test(text) ? 'beginning' : 'sub', text }
}

/** Whether an identity is one of these jobs. A separator ends the beginning, so "acme:" is no part of "acme-2:". */
export function isOfSource(source: Source, { repository: sub, claims }: Identity): boolean {
  if (source.kind === 'claim') {
    const claimed = claims[source.name]
    const isPlain = typeof claimed === 'string' || Number.isSafeInteger(claimed)
    return isPlain && String(claimed) === source.value
  }
  return source.kind === 'sub' ? sub === source.text : sub.startsWith(source.text)
}

/** The claims that say nothing about who runs a job. */
const impersonal: readonly string[] = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti']

/** The fewest parts of a beginning: `organization:` alone would let everybody announce. */
const fewestParts = 2

/** The reason to refuse a source, in words for a field; null if it can be trusted. */
export function sourceReason(source: Source): string | null {
  if (source.kind === 'claim') {
    if (source.value === '') return 'must have a value after the ='
    return impersonal.includes(source.name)
      ? `must name a claim that tells jobs apart, not ${source.name}`
      : null
  }
  if (source.kind === 'sub') return null
  const parts = source.text.split(/[:/]/).filter((part) => part !== '')
  return parts.length < fewestParts ? 'must say whose jobs they are, such as organization:acme:' : null
}
