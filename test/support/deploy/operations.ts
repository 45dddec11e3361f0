import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const documents = ['operations.md', 'scaling.md']
  .map((name) => readFileSync(join(import.meta.dir, '../../../docs', name), 'utf8'))
  .join('\n')

/** The first code of one language under a heading of docs/operations.md or docs/scaling.md, for tests that do as it says. */
export function codeUnder(heading: string, language: string): string {
  const [code] = codesUnder(heading, language)
  if (code === undefined)
    throw new Error(`docs/operations.md and docs/scaling.md have no ${language} under "${heading}"`)
  return code
}

export function codesUnder(heading: string, language: string): readonly string[] {
  const [, rest = ''] = documents.split(new RegExp(`^#+ ${heading}$`, 'm'))
  // A comment of a shell is no heading.
  const [section = ''] = rest.split(/^##+ /m)
  const code = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs')
  return [...section.matchAll(code)].map(([, one = '']) => one)
}
