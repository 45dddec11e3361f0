import { SaxesParser } from 'saxes'

export type Element = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** All text within it. */
  text: string
}

/** Every element of an XML document in order, by a parser that throws at the first mistake. */
export function elementsOf(document: string): Element[] {
  const elements: Element[] = []
  const open: Element[] = []
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, text: '' }
    elements.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    for (const element of open) element.text += text
  })
  parser.on('closetag', () => open.pop())
  parser.write(document).close()
  return elements
}

/** The message in the content of an entry of a feed, which is its first paragraph. */
export function messageIn(html: string): string | undefined {
  return elementsOf(`<div>${html}</div>`).find(({ name }) => name === 'p')?.text
}
