import { headlineOf } from '../../src/domain/message/headline.ts'
import { plainLine } from '../../src/domain/message/headline-pieces.ts'

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

/** What a visitor sees of one deployment in a list. */
export type Entry = {
  readonly id: number
  readonly name: string
  readonly label: string
  readonly age: string
  readonly message: string
  readonly link: string | null
}

/** The deployments that a page or a part of one lists, in its order. */
export async function entriesOf(response: Response): Promise<Entry[]> {
  const page = await response.text()
  return page
    .split(/(?=<li class="entry(?: joined)?(?: by-bot)?")/)
    .slice(1)
    .map((part) => {
      const markup = part.split('</article>')[0] ?? ''
      return {
        id: Number(/id="deployment-(\d+)"/.exec(markup)?.[1]),
        name: textOf(markup, '.meta > .quiet'),
        label: textOf(markup, '.category'),
        age: textOf(markup, 'time'),
        message: listedIn(markup),
        link: attributesOf(markup, 'reference').href ?? null,
      }
    })
}

/** The address of the page before this one, or null on the last. */
export function olderLink(page: string): string | null {
  const [, nav = ''] =
    /<nav class="older"(.*?)<\/nav>/s.exec(page.replace(/<template>.*?<\/template>/s, '')) ?? []
  return attributesOf(`<nav ${nav}`, 'button').href ?? null
}

function attributesOf(markup: string, className: string): Readonly<Record<string, string>> {
  const elements = elementsOf(markup).map(({ attributes }) => attributes)
  return elements.find((attributes) => attributes.class?.split(' ').includes(className)) ?? {}
}

/** The message of an entry, whose lines are drawn as one text. */
export function listedIn(entry: unknown): string {
  return `${textOf(entry, '.subject')}\n${textOf(entry, '.lines')}`.trim()
}

/** The letters that lists show of a message: its headline, and each line that says something else. */
export function lettersListed(message: string): string {
  const { prefix, subject, suffix, body } = headlineOf(message)
  const says = (line: string) =>
    hasFence.test(body) || headlineOf(line.replace(/^\s*[-*]\s/, '')).subject !== subject
  const rest = body.split('\n').filter(says).map(plainLine).join('\n')
  return lettersIn(plainLine(prefix + subject + suffix)) + lettersShown(rest)
}

/** The letters of a body as its own page shows it: not those that Markdown draws as something else. */
export function lettersShown(body: string): string {
  return lettersIn(
    body
      .replace(/^[ \t]*(?:`{3}|~{3})[^`\n]*$/gm, '')
      .replace(/\]\(https?:[^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)/g, ']')
      .replace(/&(?:lt|gt|amp|quot);/g, ''),
  )
}

/** Digits are left out, because a browser draws those of a list by itself. */
export function lettersIn(text: string): string {
  return text.replace(/\P{L}/gu, '')
}

const hasFence = /^\s*(?:`{3}|~{3})/m
