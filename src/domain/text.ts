/**
 * Whether a text shows nothing: white space, zero-width characters, fillers and bidi controls alone
 * (docs/decisions.md#announce). An emoji is not blank, whatever selectors and joiners it carries.
 */
export function isBlank(text: string): boolean {
  // Annotation marks, the Braille blank and the null notehead have no ink, but no class that says so.
  return /^[\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Z}\ufff9-\ufffb\u2800\u{1d159}]*$/u.test(text)
}

/**
 * What is wrong with a text whatever it is for: control characters other than tab, CR and LF, and lone
 * surrogates, which no UTF-8 can hold. Gives reasons, none for a good text.
 */
export function textProblems(text: string): string[] {
  const control = /(?![\t\r\n])\p{Cc}/u.exec(text)?.[0]
  return [
    ...(control === undefined ? [] : [`can't contain control characters (${codePointOf(control)})`]),
    ...(text.isWellFormed() ? [] : ["can't contain half a surrogate pair: send well-formed Unicode"]),
  ]
}

/** Whether a text holds a character that changes the direction of the text around it. */
export function hasBidiControl(text: string): boolean {
  return /\p{Bidi_Control}/u.test(text)
}

function codePointOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
