import { escaped } from '../parts/markup.ts'

export type Section = {
  readonly id: string
  readonly heading: string
  /** Alternately markup and the name of a value, starting with markup. */
  readonly pieces: readonly string[]
}

/** A name that stands for a value. If it is alone in a paragraph or a list item, the value replaces the whole item. */
const place = /\{\{(\w+)\}\}/
const onlyPlace = new RegExp(`^${place.source}$`)

/**
 * Reads a Markdown text as sections, one for each heading of the second level, which must have an id: `{#id}` at its
 * end. `{{name}}` stands for a value, and a list of `term :: meaning` is a list of definitions. HTML is text.
 */
export function sectionsOf(markdown: string): readonly Section[] {
  return markdown
    .split(/^(?=## )/m)
    .filter((text) => text.trim() !== '')
    .map((text) => {
      const [, heading, id] = /^## (.+) \{#([\w-]+)\}$/m.exec(text) ?? []
      if (heading === undefined || id === undefined)
        throw new Error(`A section has no id: ${text.slice(0, 60)}`)
      return { id, heading, pieces: Bun.markdown.render(text, markup).split(place) }
    })
}

const markup: Bun.markdown.RenderCallbacks = {
  text: escaped,
  codespan: (inner) => `<code>${inner}</code>`,
  link: (inner, { href }) => `<a href="${escaped(href)}">${inner}</a>`,
  paragraph: (inner) => (onlyPlace.test(inner) ? inner : `<p>${inner}</p>`),
  heading(inner, { level }) {
    // The page shows the heading of a section.
    if (level === 2) return ''
    const [, words = inner, id] = /^(.+) \{#([\w-]+)\}$/.exec(inner) ?? []
    return `<h${level}${id === undefined ? '' : ` id="${id}"`}>${words}</h${level}>`
  },
  list(items, { ordered }) {
    if (items.startsWith('<dt>')) return `<dl class="facts">${items}</dl>`
    return ordered ? `<ol class="steps">${items}</ol>` : `<ul>${items}</ul>`
  },
  listItem(inner) {
    if (onlyPlace.test(inner)) return inner
    const [term, ...meaning] = inner.split(' :: ')
    return meaning.length === 0 ? `<li>${inner}</li>` : `<dt>${term}</dt><dd>${meaning.join(' :: ')}</dd>`
  },
}

/** `texts` are escaped; `parts` are markup. */
export type Values = {
  readonly texts: Readonly<Record<string, string>>
  readonly parts: Readonly<Record<string, JSX.Element>>
}

/** The markup of a section with its values. Throws if one is missing. */
export function fill({ pieces }: Pick<Section, 'pieces'>, { texts, parts }: Values): JSX.Element {
  return pieces
    .map((piece, n) => {
      if (n % 2 === 0) return piece
      const text = texts[piece]
      const value = text === undefined ? parts[piece] : escaped(text)
      if (value === undefined) throw new Error(`The docs name an unknown value: ${piece}`)
      return value
    })
    .join('')
}
