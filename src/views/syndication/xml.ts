/** What XML 1.0 cannot hold, whatever the spelling. */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser would take them for a line feed, and in an attribute for a space.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
}

/** A text for XML 1.0, as content or attribute; what XML cannot hold becomes U+FFFD. */
export function xml(text: string): string {
  return text
    .replace(impossible, '\ufffd')
    .replace(/[&<>"\r\n\t]/g, (character) => references[character] ?? character)
}
