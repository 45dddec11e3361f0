import { isBlank } from '../../domain/text.ts'

/** Leaves out blank lines at the end, and all but one where several follow each other. */
export function withSingleBlanks(lines: readonly string[]): string[] {
  const kept: string[] = []
  for (const line of lines) {
    if (!isBlank(line)) kept.push(line)
    else if (kept.length > 0 && kept.at(-1) !== '') kept.push('')
  }
  if (kept.at(-1) === '') kept.pop()
  return kept
}
