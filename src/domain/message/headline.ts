import { isBlank, linesIn, withControlPictures } from '../field-parsing.ts'

/** The parts of a message that pages show differently. */
export type Headline = {
  /** The gitmoji and Conventional Commits type at the start of the title, with the space after them. */
  readonly prefix: string
  /** The description of the change. Empty only if the whole message is blank. */
  readonly subject: string
  /** The number of a pull request at the end of the title, with the space before it: " (#123)". */
  readonly suffix: string
  /** The lines below for people, separated by \n and without blank lines at either end. */
  readonly body: string
  /** The lines for programs: trailers at the end (`Signed-off-by: …`), the first line of a merge, and git's conflicts. */
  readonly trailers: string
}

const emoji = String.raw`[\p{Extended_Pictographic}\p{RI}][\ufe0f\p{Emoji_Modifier}]*`
const mark = `(?::[a-z\\d_+-]+:|${emoji}(?:\u200d${emoji})*)`
const marks = `(?:${mark}\\s*)*`
const prefixPattern = new RegExp(`^${marks}(?:[a-z][\\w-]*!?(?:\\([^()]*\\))?!?:\\s+)?${marks}`, 'iu')

/** As much of a title as is read for its prefix. With thousands of emoji, the expression would need much memory. */
const prefixCharacters = 500

/**
 * Splits a message, with pictures of control characters, into its title and what is below it (docs/decisions.md#feed).
 * The title is the first visible line, without the `#` of a Markdown heading, or the title of a merged request.
 */
export function headlineOf(message: string): Headline {
  const { lines, conflicts } = withoutConflicts(linesIn(withControlPictures(message)))
  const first = nextLine(lines, 0)
  const line = (lines[first] ?? '').trim()
  const merged = line.startsWith('Merge') ? mergedBy(line, lines, first) : null
  const below = lines.slice((merged?.last ?? first) + 1)
  const from = nextLine(below, 0)
  const to = endOf(below)
  const end = hasTrailers.test(message) ? beginOfTrailers(below, from, to) : to
  return {
    ...partsOf((merged?.title ?? line).replace(/^#{1,6}\s+(?=\S)/, ''), merged?.number),
    body: below.slice(from, end === to ? to : endOf(below.slice(0, end))).join('\n'),
    trailers: [...(merged === null ? [] : [line]), ...below.slice(end, to), ...conflicts].join('\n'),
  }
}

/** As much of a merge as is read for its title. */
const mergeCharacters = 1_000

/** The title of what was merged, for the message of a merge; any other message as it is. */
export function withoutMerge(message: string): string {
  if (!message.startsWith('Merge')) return message
  const { prefix, subject } = headlineOf(message.slice(0, mergeCharacters))
  return prefix + subject
}

/**
 * Takes out the files that git says had conflicts in a merge. Its older releases made no comment of them. The message
 * of a squashed request has those of all its merges.
 */
function withoutConflicts(message: readonly string[]) {
  const isFile = (n: number) => /^#?\t/.test(message[n] ?? '')
  const lines: string[] = []
  const conflicts: string[] = []
  let isConflict = false
  for (const [n, line] of message.entries()) {
    isConflict = (isConflict && isFile(n)) || (n > 0 && /^(?:# )?Conflicts:$/.test(line) && isFile(n + 1))
    const part = isConflict ? conflicts : lines
    part.push(line)
  }
  return { lines, conflicts }
}

/** The index of the next visible line; -1 if there is none. */
function nextLine(lines: readonly string[], from: number): number {
  return lines.findIndex((line, n) => n >= from && !isBlank(line))
}

/** The number of lines without the blank ones at the end. */
function endOf(lines: readonly string[]): number {
  return lines.findLastIndex((line) => !isBlank(line)) + 1
}

/**
 * The title of a merged request, its number, and the index of the last line that was read. GitHub, GitLab and Bitbucket
 * write the title on the next line, Forgejo and Gitea in quotes on the same one. Null without a merge or a title.
 */
function mergedBy(line: string, lines: readonly string[], first: number) {
  const [, title, quoted] = /^Merge pull request '(.+)' \(#(\d+)\) from /.exec(line) ?? []
  if (title !== undefined) return { title, number: quoted, last: first }
  const found = mergePattern.exec(line)
  const last = nextLine(lines, first + 1)
  if (found === null || last === -1) return null
  const below = lines[last] as string
  return { title: below.trim().replace(/^[-*]\s+/, ''), number: found[1] ?? found[2], last }
}

const mergePattern =
  /^Merge(?: pull request #(\d+) from \S|d in .+ \(pull request #(\d+)\)$| (?:remote-tracking )?branch '| commit (?:'|from fork$))/

const hasTrailers = /-by: |^updated-dependencies:/m
const trailer = /^(?:[A-Za-z][\w-]*: \S|\s|\(cherry picked from commit |git-svn-id: )/

/** The index at which the trailers and the list that Dependabot writes for programs begin. */
function beginOfTrailers(lines: readonly string[], from: number, to: number): number {
  let begin = to
  for (let end = to; end > from; ) {
    let start = end
    while (start > from && !isBlank(lines[start - 1] as string)) start -= 1
    const paragraph = lines.slice(start, end)
    const isOfProgram = paragraph[0] === '---' && paragraph[1] === 'updated-dependencies:'
    if (!isOfProgram && !areTrailers(paragraph)) return begin
    begin = start
    end = start
    while (end > from && isBlank(lines[end - 1] as string)) end -= 1
  }
  return begin
}

function areTrailers(paragraph: readonly string[]): boolean {
  return paragraph.every((line) => trailer.test(line)) && paragraph.some((line) => /^[\w-]+-by: /i.test(line))
}

/** A line that consists only of a prefix and a suffix is all subject. */
function partsOf(line: string, number: string | undefined): Pick<Headline, 'prefix' | 'subject' | 'suffix'> {
  const prefix = prefixPattern.exec(line.slice(0, prefixCharacters))?.[0] ?? ''
  const rest = line.slice(prefix.length)
  const subject = /\(#\d+\)$/.test(rest) ? rest.slice(0, rest.lastIndexOf('(')).trimEnd() : rest
  if (isBlank(subject)) return { prefix: '', subject: line, suffix: '' }
  const suffix = rest.slice(subject.length)
  return { prefix, subject, suffix: suffix === '' && number !== undefined ? ` (#${number})` : suffix }
}
