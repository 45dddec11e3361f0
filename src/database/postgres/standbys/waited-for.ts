/**
 * The standbys that a commit waits for, by `synchronous_standby_names`; null if it waits for none, or not for all
 * of those that it names. In small letters, since Postgres compares them so.
 */
export function standbysWaitedFor(setting: string): readonly string[] | null {
  const [, count = '1', list = setting] =
    /^\s*(?:(?:first|any)\s)?\s*(\d+)\s*\((.*)\)\s*$/is.exec(setting) ?? []
  const names = (list.match(/"(?:[^"]|"")*"|[^\s,]+/g) ?? []).map(nameOf)
  return names.length > 0 && names.length === Number(count) && !names.includes('*') ? names : null
}

function nameOf(word: string): string {
  const name = word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word
  return name.toLowerCase()
}
