/** What a tag says: `@ada/read@1.2.0` and `read-v1.2.0` name their package, as in a repository with several. */
type Tag = { readonly package: string; readonly number: string }

/** Longer tags and titles are not read. */
const maxCharacters = 200

/** ci/history.sh reads tags by the same rule. */
export function readTag(tag: string): Tag {
  const [, name = '', separator, number = ''] =
    /^([^\n]*?)(@|[-_/])(v?\d[\w.+-]*)$/.exec(tag.length > maxCharacters ? '' : tag) ?? []
  const isNumber = separator === '@' || number.includes('.')
  if (!isNumber || name === '' || /^v?\d/.test(name)) return { package: '', number: tag }
  return /^(?:release|version)$/i.test(name) ? { package: '', number } : { package: name, number }
}

/** What was released, in words: "engine v1.2.0", or "@ada/read 1.2.0" if the tag names its package. */
export function releaseName(repository: string, version: string): string {
  const tag = readTag(version)
  return [tag.package || repository, tag.package === '' ? version : tag.number]
    .filter((word) => word !== '')
    .join(' ')
}

/** Gitmoji at the start of a title: shortcodes, or the blocks of Unicode that emoji are in. */
const marks = /^(?:(?::[a-z\d_+-]+:|\ufe0f|[\u2000-\u2fff\u{1f000}-\u{1ffff}]) *)+/u

/** Whether a title says nothing but this version, such as "4.13.3" or "chore(main): release 4.13.3 (#12)" of v4.13.3. */
export function saysOnlyVersion(title: string, version: string, repository: string): boolean {
  if (title === version) return true
  if (title.length > maxCharacters || version === '') return false
  const tag = readTag(version)
  const number = tag.number.replace(/^v/i, '').toLowerCase()
  const words = title
    .toLowerCase()
    .replace(marks, '')
    .replace(/^(?:chore|feat)(?:\([^()]*\))?: /, '')
    .replace(/ (?:\(#\d+\)|\[skip ci\])$/, '')
  if (number === '' || !words.endsWith(number)) return false
  const before = words.slice(0, -number.length).replace(/(?:^|[ @:/_-]{1,3})v?$/, '')
  const subject = before.replace(/^(?:release|version|bump version to)(?: |$)/, '')
  return ['', repository.toLowerCase(), tag.package.toLowerCase()].includes(subject)
}
