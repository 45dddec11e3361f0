import { linesIn } from '../../domain/field-parsing.ts'
import { piecesOf } from '../../domain/message/headline-pieces.ts'
import { dateOf, utcDayOf } from '../../domain/time.ts'
import { projectAddress } from '../../views/page/address.ts'
import type { Site } from '../../views/page/site.ts'
import { changelogAddress } from './address.ts'
import { type Change, type Changelog, type ChangelogEntry, sections } from './rules.ts'
import { meaningOf, nameOfProject } from './shown.ts'

/** A changelog in the form of Keep a Changelog 1.1.0. */
export function changelogMarkdown({ baseUrl }: Site, changelog: Changelog): string {
  const { user, target, entries, older } = changelog
  const project = baseUrl + projectAddress(user.username, target)
  const page = baseUrl + changelogAddress('page', changelog)
  const ofOlder = baseUrl + changelogAddress('markdown', { ...changelog, before: older })
  const blocks = [
    '# Changelog',
    `[${plain(nameOfProject(changelog))}](${project}): ${plain(meaningOf(changelog))}`,
    ...entries.flatMap(blocksOf),
    ...(older === null ? [] : [`[Older versions](${ofOlder})`]),
    entries
      .flatMap(({ version, anchor }) => (version === null ? [] : `[${plain(version)}]: ${page}#${anchor}`))
      .join('\n'),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function blocksOf(entry: ChangelogEntry): string[] {
  const { version, notes, sections: told } = entry
  const date = dateOf(utcDayOf(entry.since))
  const byHeading = Map.groupBy(told, ({ name }) => sections[name].kept)
  return [
    `## ${version === null ? date : `[${plain(version)}] - ${date}`}`,
    ...notes.map(defused),
    ...[...byHeading].flatMap(([heading, ofHeading]) => {
      const items = ofHeading.flatMap(({ changes }) => changes.map(itemOf))
      return [`### ${heading}`, items.join('\n').trimEnd()]
    }),
  ]
}

function itemOf({ title, body, isBreaking }: Change): string {
  const headline = `- ${isBreaking ? '**Breaking:** ' : ''}${line(title)}`
  if (body === '') return headline
  return `${headline}\n\n${defused(body).replace(/(?<![^\n])(?=[^\n])/g, '  ')}\n`
}

/** A line of text and code, of which nothing else is Markdown. */
function line(text: string): string {
  return piecesOf(text)
    .map((piece) => (piece.isCode ? code(piece.text) : plain(piece.text)))
    .join('')
}

/** A text that no reader of Markdown takes for markup. */
function plain(text: string): string {
  return text
    .replace(/[\\`*_[\]<>&~|]/g, '\\$&')
    .replace(/^\s*(?=[#+=-])/, '\\')
    .replace(/^(\d+)(?=[.)])/, '$1\\')
}

function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const space = /^`|`$/.test(text) ? ' ' : ''
  return fence + space + text + space + fence
}

/**
 * The Markdown of a message where it cannot end what surrounds it: headings are smaller than ours, a block of code ends,
 * HTML is text, as on pages, and links lead to pages. What may be code or not, as readers differ, counts as text.
 */
function defused(text: string): string {
  const lines: string[] = []
  let fence: string | null = null
  let isCodeSure = true
  for (const written of linesIn(text)) {
    if (fence !== null) {
      lines.push(written)
      const [, mark] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(written) ?? []
      if (mark?.startsWith(fence)) fence = null
      continue
    }
    // No other one stays one: it may be in an item of a list, which ends a block of code before its last line.
    const [, mark = null] = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(written) ?? []
    fence = mark
    if (mark === null) isCodeSure &&= hasWholeCode(written)
    lines.push(mark === null ? withoutMarkup(withoutHeading(written), isCodeSure) : written)
  }
  return [...lines, ...(fence === null ? [] : [fence])].join('\n')
}

/** Whether all code in a line also ends in it; otherwise code may begin here and end in a line below. */
function hasWholeCode(written: string): boolean {
  return (
    !written.includes('\\`') && piecesOf(written).every(({ text, isCode }) => isCode || !text.includes('`'))
  )
}

function withoutHeading(written: string): string {
  if (/^ {0,3}(?:=+|-+)\s*$/.test(written)) return `\\${written.trim()}`
  return written.replace(/^ {0,3}#{1,6}(?=\s)/, '####')
}

/** Keeps code, if it is sure where it is. */
function withoutMarkup(written: string, isCodeSure: boolean): string {
  const pieces = isCodeSure ? piecesOf(written) : [{ text: written, isCode: false }]
  return pieces.map(({ text, isCode }) => (isCode ? code(text) : harmless(text))).join('')
}

/** A text without HTML, blocks of code, pictures, definitions of links, and links that do not lead to pages. */
function harmless(text: string): string {
  return text
    .replace(/<(?=[a-z/!?])/gi, '&lt;')
    .replace(/`{3,}|~{3,}/g, (run) => `\\${[...run].join('\\')}`)
    .replaceAll('![', '!\\[')
    .replaceAll(']:', ']\\:')
    .replace(/\]\((?!https?:\/\/)/gi, ']\\(')
}
