import { isKeyOf } from './field-parsing.ts'
import { withEmoji } from './message/gitmoji.ts'
import { withoutMerge } from './message/headline.ts'

/** The four categories: what the API calls each, and its label. */
export const categories = {
  feature: 'feature',
  bug_fix: 'bug fix',
  performance_improvement: 'performance improvement',
  styling_change: 'styling change',
} as const

export type Category = keyof typeof categories

/** Whether a value is one of the four as the API spells them. */
export const isCategory = isKeyOf(categories)

/**
 * The category of a message by its first line, or by the title of what was merged: by its Conventional Commits type, else by a leading gitmoji, else by its
 * leading verb (docs/decisions.md#announce). A type or gitmoji of other work gives null whatever the verb.
 */
export function categoryOf(message: string): Category | null {
  return saidBy(message) ?? null
}

/** Whether the type or gitmoji of a message is one of other work, such as `chore:` or 📝. */
export function isOtherWork(message: string): boolean {
  return saidBy(message) === null
}

/** Null for other work, undefined if nothing is said. */
function saidBy(message: string): Category | null | undefined {
  const { marks, text } = openingOf(message)
  const sayings = [saidByType(text), ...marks.map((mark) => gitmojis.get(mark)), saidByVerb(text)]
  return sayings.find((said) => said !== undefined)
}

const types = vocabulary({
  feature: 'feat feats feature features newfeature',
  bug_fix: 'fix fixes bug bugfix hotfix',
  performance_improvement: 'perf performance performanceimprovement',
  // Conventional Commits means white space by `style`; here it is the visible style.
  styling_change: 'style styles styling stylingchange ui design css',
  none: 'build chore ci deps doc docs refactor release revert test tests wip',
})

const gitmojis = vocabulary({
  feature: '✨ 🎉',
  bug_fix: '🐛 🐞 🪲 🚑 🩹',
  performance_improvement: '⚡ 🐎',
  styling_change: '💄 💫 📱 🚸',
  // Only emoji with a single meaning: 🔧 also means "fixed", ✅ "done" and 🎨 "restyled".
  none: '📝 ⬆ ⬇ 📌 ♻ 🧪 👷 💚 ⏪',
})

/** Two words are joined by a hyphen: `speed-up` is "Speed up …". */
const verbs = vocabulary({
  feature: `feat add adds added adding allow allows allowed implement implements implemented implementing
    introduce introduces introduced introducing support supports supported supporting`,
  bug_fix: `fix fixes fixed fixing bugfix hotfix correct corrects corrected correcting
    repair repairs repaired repairing resolve resolves resolved resolving`,
  performance_improvement: `perf speed-up speeds-up speeding-up sped-up
    improve-performance improves-performance improved-performance improving-performance
    optimize optimizes optimized optimizing optimise optimises optimised optimising`,
  styling_change: `restyle restyles restyled restyling redesign redesigns redesigned redesigning`,
  none: '',
})

/** The meaning of words: a category, or null for work that is none of the four. */
function vocabulary(words: Record<Category | 'none', string>): ReadonlyMap<string, Category | null> {
  const rows = Object.entries(words).flatMap(([saying, list]) =>
    list.split(/\s+/).map((word) => [word, isCategory(saying) ? saying : null] as const),
  )
  return new Map(rows)
}

const emoji = String.raw`[\p{Extended_Pictographic}\p{RI}](?:\u200d\p{Extended_Pictographic})*`
const mark = new RegExp(`:[a-z\\d_+-]+:|${emoji}`, 'giu')
const leadingMarks = new RegExp(`^(?:${mark.source}|[\\s:])*`, 'iu')

/** The title, split into the emoji and shortcodes that it opens with and the text after them. */
function openingOf(message: string): { marks: string[]; text: string } {
  const [line = ''] = withoutMerge(message.trimStart()).split(/[\r\n\u2028\u2029]/, 1)
  // Variation selectors and skin tones do not change what an emoji says.
  const plain = withEmoji(line).replace(/[\ufe0f\p{Emoji_Modifier}]/gu, '')
  const opening = leadingMarks.exec(plain)?.[0] ?? ''
  return { marks: opening.match(mark) ?? [], text: plain.slice(opening.length) }
}

/** `type(scope)!: …`; two words are read as one, so that "Bug fix: …" is a bug fix. */
function saidByType(text: string): Category | null | undefined {
  const [, type] = /^([a-z]+(?:[ _-][a-z]+)?)!?(?:\([^)]*\))?!?\s?:/i.exec(text) ?? []
  return type === undefined ? undefined : types.get(type.toLowerCase().replace(/[ _-]/, ''))
}

/** The category of the whole first word, or of the first two: "Fix …" has one, "Fixed-width …" has none. */
function saidByVerb(text: string): Category | null | undefined {
  const [, first, second] = /^\W{0,3}([a-z]+)(?![\w'’-])(?: +([a-z]+))?/.exec(text.toLowerCase()) ?? []
  if (first === undefined) return undefined
  return verbs.get(first) ?? verbs.get(`${first}-${second}`)
}
