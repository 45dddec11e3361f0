export type Element = { readonly name: string; readonly attributes: Readonly<Record<string, string>> }

/** Every element of some markup in document order, its attributes as a browser would read them. */
export function elementsOf(markup: unknown): Element[] {
  const elements: Element[] = []
  new HTMLRewriter()
    .on('*', {
      element(element) {
        const attributes = [...element.attributes].map(([name = '', value = '']) => [name, decoded(value)])
        elements.push({ name: element.tagName, attributes: Object.fromEntries(attributes) })
      },
    })
    .transform(String(markup))
  return elements
}

/** The text inside the elements that a selector finds. */
export function textOf(markup: unknown, selector: string): string {
  let text = ''
  new HTMLRewriter()
    .on(selector, {
      text(chunk) {
        text += chunk.text
      },
    })
    .transform(String(markup))
  return decoded(text)
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&#x27;': "'",
  '&#39;': "'",
  '&amp;': '&',
}

function decoded(text: string): string {
  return text.replace(/&(?:lt|gt|quot|amp|#34|#39|#x27);/g, (entity) => entities[entity] ?? entity)
}
