import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const operations = readFileSync(join(import.meta.dir, '../../../docs/operations.md'), 'utf8')

/** The code of one language under a heading of docs/operations.md, for tests that do what it says. */
export function codeUnder(heading: string, language: string): string {
  const [, section] = operations.split(new RegExp(`^#+ ${heading}$`, 'm'))
  const [, code] =
    new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(section?.split(/^#+ /m)[0] ?? '') ?? []
  if (code === undefined) throw new Error(`docs/operations.md has no ${language} under "${heading}"`)
  return code
}
