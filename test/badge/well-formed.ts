const name = '[A-Za-z][A-Za-z-]*'
const reference = '&#\\d+;|&(?:amp|lt|gt|quot|apos);'
const attribute = `\\s+${name}="(?:[^<&"]|${reference})*"`
const token = new RegExp(
  `<(?<open>${name})(?<attributes>(?:${attribute})*)\\s*(?<empty>/?)>|</(?<close>${name})>|(?:[^<&]|${reference})+`,
  'uy',
)
const notACharacter = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u

/**
 * Why a text is not a well-formed XML document, or null if it is one. Only elements, double-quoted attributes,
 * text and references are known: anything else (comments, CDATA, DOCTYPE, …) counts as a fault.
 */
export function faultInXml(text: string): string | null {
  if (notACharacter.test(text)) return 'a character that XML cannot hold'
  const open: string[] = []
  let roots = 0
  let end = 0
  for (const match of tokensOf(text)) {
    end = match.index + match[0].length
    const groups = match.groups ?? {}
    if (groups.open !== undefined) {
      if (open.length === 0) roots += 1
      if (repeatsAnAttribute(groups.attributes ?? '')) return `an attribute twice in <${groups.open}>`
      if (groups.empty === '') open.push(groups.open)
    } else if (groups.close !== undefined) {
      if (open.pop() !== groups.close) return `</${groups.close}> closes nothing`
    } else if (open.length === 0 && match[0].trim() !== '') return 'text outside the root'
  }
  if (end !== text.length) return `not XML from ${JSON.stringify(text.slice(end, end + 30))}`
  if (open.length > 0) return `<${open.join('><')}> stays open`
  return roots === 1 ? null : `${roots} roots`
}

function* tokensOf(text: string): Generator<RegExpExecArray> {
  token.lastIndex = 0
  for (let match = token.exec(text); match !== null; match = token.exec(text)) yield match
}

function repeatsAnAttribute(attributes: string): boolean {
  const names = [...attributes.matchAll(/\s([A-Za-z-]+)="[^"]*"/g)].map(([, found]) => found)
  return new Set(names).size !== names.length
}
