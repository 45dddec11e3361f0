import { domainToUnicode } from 'node:url'
import type { Project } from '../../domain/link.ts'
import { isPublicForge } from '../../domain/project-path.ts'
import { nameInScope } from '../../domain/target.ts'

/** Scripts without lookalikes of ASCII letters. Cyrillic has some, so "аррӏе.com" stays xn--80ak6aa92e.com. */
const plainLabels = [
  /^[a-z\d\u00df-\u00f6\u00f8-\u00ff-]+$/,
  /^[\d\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー-]+$/u,
  /^[\d\p{Script=Han}\p{Script=Hangul}-]+$/u,
  /^[\d\p{Script=Arabic}-]+$/u,
  /^[\d\p{Script=Hebrew}-]+$/u,
  /^[\d\p{Script=Devanagari}-]+$/u,
  /^[\d\p{Script=Bengali}-]+$/u,
  /^[\d\p{Script=Tamil}-]+$/u,
  /^[\d\p{Script=Thai}-]+$/u,
]

/** A punycode host as people write it, except for labels that may have lookalike letters. */
export function readableHost(host: string): string {
  if (!host.includes('xn--')) return host
  return host
    .split('.')
    .map((label) => {
      if (!label.startsWith('xn--')) return label
      const written = domainToUnicode(label)
      return plainLabels.some((plain) => plain.test(written)) ? written : label
    })
    .join('.')
}

/** A path with its letters and digits unescaped. Everything else, such as bidi controls, stays escaped. */
export function readablePath(path: string): string {
  if (!path.includes('%')) return path
  return path.replace(/(?:%[89a-f][\da-f])+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes).replace(/[^\p{L}\p{M}\p{N}]/gu, encodeURIComponent)
    } catch {
      return escapes
    }
  })
}

/** "ada/engine" or "ada.dev", a project as people write it. */
export function readableProject({ owner, name }: Project): string {
  return owner === null ? readableHost(name) : `${readablePath(owner)}/${readablePath(name)}`
}

/** A target as people write it: without the `/-` at the end of a deep one, or the `-/` before one that was named. */
export function readableTarget(target: string): string {
  const [host = '', ...path] = target.replace(/\/-$/, '').split('/')
  return nameInScope(target) ?? [readableHost(host), ...path.map(readablePath)].join('/')
}

/** A target without escapes, for pictures; '' if its host has lookalike letters or its bytes are not valid text. */
export function unescapedTarget(target: string): string {
  const readable = readableTarget(target)
  if (/^[^/]*xn--/.test(readable)) return ''
  try {
    return decodeURIComponent(readable)
  } catch {
    return ''
  }
}

/** A target in two parts: the public forge of a repository with its slash (empty if there is none), and the name. */
export function forgeAndName(target: string): { readonly forge: string; readonly name: string } {
  const [host = '', ...path] = readableTarget(target).split('/')
  if (nameInScope(target) !== null || !isPublicForge(host) || path.length === 0)
    return { forge: '', name: [host, ...path].join('/') }
  return { forge: `${host}/`, name: path.join('/') }
}
