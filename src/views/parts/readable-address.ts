import { domainToUnicode } from 'node:url'
import { isPublicForge } from '../../domain/entry/project.ts'

/**
 * Letters that are not mistaken for others: Latin ones of western Europe, and scripts without any likeness to
 * ASCII. Cyrillic and Greek have such letters, so "аррӏе.com" stays xn--80ak6aa92e.com.
 */
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

/** A punycode host as people write it, except for labels with a letter that could be mistaken for another. */
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

/**
 * A path with letters and digits unescaped; everything else stays escaped, such as bidi controls.
 */
export function readablePath(path: string): string {
  return path.replace(/(?:%[89a-f][\da-f])+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes).replace(/[^\p{L}\p{M}\p{N}]/gu, encodeURIComponent)
    } catch {
      return escapes
    }
  })
}

/**
 * A target, which is a host or a host with a path, as people write it: without the `/-` that ends a deep one.
 */
export function readableTarget(target: string): string {
  const [host = '', ...path] = target.replace(/\/-$/, '').split('/')
  return [readableHost(host), ...path.map(readablePath)].join('/')
}

/** A target in two parts: the public forge that a repository is on, with its slash, else nothing; and its name. */
export function forgeAndName(target: string): { readonly forge: string; readonly name: string } {
  const [host = '', ...path] = readableTarget(target).split('/')
  if (!isPublicForge(host) || path.length === 0) return { forge: '', name: [host, ...path].join('/') }
  return { forge: `${host}/`, name: path.join('/') }
}
