const falling = ['\u0315', '\u0301', '\u0316', '\u0327', '\u0334', '\u0345']

/** Parts that make a text as slow to read as can be: one part repeated, or several in turn, each repeated. */
const costlyParts: Readonly<Record<string, string | readonly string[]>> = {
  'marks in falling order': falling,
  'percent escapes of marks in falling order': falling.map(encodeURIComponent),
  'letters with four marks in falling order': 'a\u0315\u0301\u0316\u0327',
  'letters that a picture’s font has late': 'Ⓡ',
  'letters that become two': 'ẞ',
  'marks that become two': 'a\u0344\u0344\u0344\u0344',
  backticks: '`',
  'one long word': 'a',
  digits: '1',
  'numbers with dots': '1.',
  'line ends': '\n',
  underscores: '_',
  'angle brackets': '<',
  ampersands: '&',
  spaces: ' ',
  dots: '.',
  slashes: '/',
  'percent signs': '%/',
  links: 'http://a ',
  'hosts in punycode': 'xn--a9b.',
  parentheses: '(',
  emoji: '👩‍💻',
  shortcodes: ':a:',
  'marks of a script without spaces': '\u0e38\u0e34\u0e48',
  'bidi controls': 'a\u202e',
  'names and values': 'a=%41;',
  addresses: '127.0.0.1,',
  tags: '"a",',
}

/** Prose of as many characters. */
export function plainText(length: number): string {
  return 'Lorem ipsum dolor sit amet, consectetur elit. '.repeat(Math.ceil(length / 46)).slice(0, length)
}

/** The costly texts, by what they are, as long as a measure of them lets them be; each begins with a letter. */
export function costlyTexts(most: number, measure: (text: string) => number): [what: string, text: string][] {
  return Object.entries(costlyParts).map(([what, part]) => {
    let parts = 0
    // No text has more parts than its measure.
    for (let step = 2 ** Math.floor(Math.log2(most)); step >= 1; step /= 2) {
      if (measure(ofParts(part, parts + step)) <= most) parts += step
    }
    return [what, ofParts(part, parts)]
  })
}

function ofParts(part: string | readonly string[], count: number): string {
  const parts = [part].flat()
  return `a${parts.map((one) => one.repeat(Math.floor(count / parts.length))).join('')}z`
}

export const bytesOf = (text: string): number => Buffer.byteLength(text)
export const escapedLengthOf = (text: string): number => encodeURIComponent(text).length
