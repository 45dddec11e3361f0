import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const documents = ['operations.md', 'scaling.md']
  .map((name) => readFileSync(join(import.meta.dir, '../../../docs', name), 'utf8'))
  .join('\n')

/** The code of one language under a heading of docs/operations.md or docs/scaling.md, for tests that do as it says. */
export function codeUnder(heading: string, language: string): string {
  const [, section] = documents.split(new RegExp(`^#+ ${heading}$`, 'm'))
  const [, code] =
    new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(section?.split(/^#+ /m)[0] ?? '') ?? []
  if (code === undefined)
    throw new Error(`docs/operations.md and docs/scaling.md have no ${language} under "${heading}"`)
  return code
}
