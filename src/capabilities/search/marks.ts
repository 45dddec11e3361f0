import type { EntryLook } from '../../views/deployment/entry.tsx'
import { allWords, finds, type Wording, wordsIn } from './words.ts'

/** A tag or an entity, which stays unchanged, or the text in between. */
const pieces = /(<[^<>]*>|&[^&;\s]*;)|[^<&]+/g

/** How entries look in the results of a search: its words are marked. */
export function lookOfFound(asked: Wording): EntryLook {
  const words = allWords(asked)
  return words.length === 0
    ? {}
    : { marks: { mark: (markup) => marked(markup, words), areIn: (text) => hasFound(text, words) } }
}

function marked(markup: string, asked: readonly string[]): string {
  return markup.replace(pieces, (piece, code: string | undefined) => code ?? markedText(piece, asked))
}

/** Whether a text has one of the words that are asked for. */
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
