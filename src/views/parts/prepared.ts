import { attribute } from './attribute.ts'

type Texts<Name extends string> = Readonly<Record<Name, string>>
type Markup<Name extends string> = Readonly<Record<Name, JSX.Element>>

/** Noncharacters, which neither a page of ours nor escaping has a use for. */
const mark = '\uFFFE'

/**
 * Takes what draws markup that repeats, draws it once with a mark in each place, and gives the function that
 * fills the places: a tenth of the cost of drawing it each time. It escapes texts, for elements and attributes
 * alike; markup is put in as it is.
 */
export function prepared<Text extends string, Part extends string = never>(
  draw: (texts: Texts<Text>, parts: Markup<Part>) => JSX.Element,
): (texts: Texts<Text>, parts?: Markup<Part>) => JSX.Element {
  const marks = new Proxy({}, { get: (_, name) => `${mark}${String(name)}${mark}` })
  const [beginning = '', ...drawn] = String(draw(marks as Texts<Text>, marks as Markup<Part>)).split(mark)
  const places = drawn.flatMap((name, n) => (n % 2 === 0 ? [{ name, after: drawn[n + 1] ?? '' }] : []))
  return (texts, parts) => {
    let filled = beginning
    for (const { name, after } of places) {
      const text = texts[name as Text]
      filled += text === undefined ? String(parts?.[name as Part]) : attribute(text)
      filled += after
    }
    return filled
  }
}
