import docs from './docs.md' with { type: 'text' }
import { type Section, sectionsOf, type Values } from './markdown.ts'

/** What a capability adds to the docs. */
export type DocsText = {
  /** The section of the core that it stands after. A text that begins without a heading continues that section. */
  readonly after: string
  readonly markdown: string
  /** Its values besides `baseUrl` and `username`, which is made up if nobody is signed in. */
  readonly values?: (reader: { readonly baseUrl: string; readonly username: string }) => Partial<Values>
}

/** The sections of the core with those of capabilities among them. Throws if one stands after none of the core. */
export function sectionsWith(added: readonly DocsText[]): readonly Section[] {
  const known = sectionsOf(docs).map(({ id }) => id)
  const lost = added.find(({ after }) => !known.includes(after))
  if (lost !== undefined) throw new Error(`The docs have no section "${lost.after}"`)
  const texts = docs.split(/^(?=## )/m).flatMap((text, n) => {
    const following = added.filter(({ after }) => after === known[n]).map(({ markdown }) => markdown)
    const { continuing = [], own = [] } = Object.groupBy(following, (markdown) =>
      markdown.startsWith('## ') ? 'own' : 'continuing',
    )
    return [text, ...continuing, ...own]
  })
  return sectionsOf(texts.join('\n\n'))
}
