/**
 * What Conventional Commits and gitmoji.dev say of a message, read apart from the product's own code: a
 * category, null for work that is none of the four, undefined where neither speaks. Style is the visible
 * one (decisions, "POST /api").
 */
export function categorySaidBy(message: string): string | null | undefined {
  const line = message.trimStart().replace(/[\r\n].*$/s, '')
  const [, emoji, text = line] = /^(:[a-z_]+:|\p{Extended_Pictographic})\ufe0f?\s*(.*)$/u.exec(line) ?? []
  const [, type] = /^([a-z]+)(?:\([^()]*\))?!?: /i.exec(text) ?? []
  if (type !== undefined) return types[type.toLowerCase()]
  // Some other word before a colon might be a type of somebody's own.
  const isPlain = !/^[\w -]+(?:\([^()]*\))?!?\s?:/.test(text)
  return emoji !== undefined && isPlain ? gitmojis[emoji] : undefined
}

const types: Readonly<Record<string, string | null>> = {
  feat: 'feature',
  fix: 'bug_fix',
  perf: 'performance_improvement',
  style: 'styling_change',
  build: null,
  chore: null,
  ci: null,
  docs: null,
  refactor: null,
  revert: null,
  test: null,
}

const gitmojis: Readonly<Record<string, string>> = {
  '✨': 'feature',
  ':sparkles:': 'feature',
  '🐛': 'bug_fix',
  ':bug:': 'bug_fix',
  '🚑': 'bug_fix',
  ':ambulance:': 'bug_fix',
  '⚡': 'performance_improvement',
  ':zap:': 'performance_improvement',
  '💄': 'styling_change',
  ':lipstick:': 'styling_change',
}
