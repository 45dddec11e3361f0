/**
 * Whether a text shows nothing: white space, zero-width characters, fillers and bidi controls alone
 * (docs/decisions.md#announce). An emoji is not blank, whatever selectors and joiners it carries.
 */
export function isBlank(text: string): boolean {
  // Nearly all begin with a letter, and the expression takes ten times as long.
  if (text > '!' && text < '\u007f') return false
  // Annotation marks, the Braille blank and the null notehead have no ink, but no class that says so.
  return /^[\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Z}\ufff9-\ufffb\u2800\u{1d159}]*$/u.test(text)
}

/** The lines of a text as a browser draws them: each of these characters begins one. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/)
}

/**
 * The reasons why a text cannot be stored and given back as it is, none if it can: Postgres holds no NUL, and
 * UTF-8 no lone surrogate.
 */
export function storageProblems(text: string): string[] {
  return [
    ...(text.includes('\0') ? ["can't contain a NUL character (U+0000)"] : []),
    ...(text.isWellFormed() ? [] : ["can't contain half a surrogate pair: send well-formed Unicode"]),
  ]
}

const control = /(?![\t\r\n])\p{Cc}/u
const controls = new RegExp(control, 'gu')

/** The same for a text that people choose, such as a name, in which every control character is refused. */
export function textProblems(text: string): string[] {
  const found = control.exec(text)?.[0]
  if (found === undefined) return storageProblems(text)
  return [
    `can't contain control characters (${codePointOf(found)})`,
    ...storageProblems(text.replaceAll('\0', '')),
  ]
}

/**
 * The reasons to refuse a text of one line that stands beside others, none if it is good: it shows something, in
 * at most so many characters (code points), holds no control or bidi characters, and no more than 4 combining
 * marks in a row, which would paint over what is above it.
 */
export function oneLineProblems(text: string, maxCharacters: number): string[] {
  if (isBlank(text)) return ["can't be blank"]
  return [
    ...([...text].length > maxCharacters ? [`must be at most ${maxCharacters} characters`] : []),
    ...(/[\t\r\n\u2028\u2029]/.test(text) ? ['must be one line, without tabs'] : []),
    ...(/\p{M}{5}/u.test(text) ? ["can't have more than 4 combining marks on a letter"] : []),
    ...(hasBidiControl(text) ? ["can't contain characters that change the direction of the text"] : []),
    ...textProblems(text),
  ]
}

/**
 * A text as pages show it: each control character except tab, CR and LF is its Unicode picture (␛ for ESC),
 * or U+FFFD if it has none.
 */
export function withControlPictures(text: string): string {
  return text.replace(controls, (character) => {
    const code = character.charCodeAt(0)
    if (code === 0x7f) return '\u2421'
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\uFFFD'
  })
}

/** Whether a text holds a character that changes the direction of the text around it. */
export function hasBidiControl(text: string): boolean {
  return /\p{Bidi_Control}/u.test(text)
}

function codePointOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
