import { isBlank } from '../../domain/text.ts'

/** Leaves out blank lines at the end, and all but one where several follow each other. */
export function withSingleBlanks(lines: readonly string[]): string[] {
  const kept = lines
    .filter((line, n) => !isBlank(line) || (n > 0 && !isBlank(lines[n - 1] ?? '')))
    .map((line) => (isBlank(line) ? '' : line))
  return kept.at(-1) === '' ? kept.slice(0, -1) : kept
}
