import { finds, wordsIn } from '../../domain/search/words.ts'

/** A tag or an entity, which stays unchanged, or the text in between. */
const pieces = /(<[^<>]*>|&[^&;\s]*;)|[^<&]+/g

/** Marks the words that a search has found in the text of our own markup. */
export function marked(markup: string, asked: readonly string[]): string {
  return markup.replace(pieces, (piece, code: string | undefined) => code ?? markedText(piece, asked))
}

export function hasFound(text: string, asked: readonly string[]): boolean {
  return wordsIn(text).some(({ word }) => isFound(word, asked))
}

function markedText(text: string, asked: readonly string[]): string {
  let done = ''
  let end = 0
  for (const found of wordsIn(text)) {
    if (!isFound(found.word, asked)) continue
    done += `${text.slice(end, found.start)}<mark>${text.slice(found.start, found.end)}</mark>`
    end = found.end
  }
  return done + text.slice(end)
}

function isFound(word: string, asked: readonly string[]): boolean {
  return asked.some((each) => finds(each, word))
}
