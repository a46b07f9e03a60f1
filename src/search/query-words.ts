import { fewWords } from './few-words.ts'

/** A query in the forms in which it is looked for. */
export interface QueryText {
  /** For full text, with its operators: as it was typed, or with names taken apart. */
  forText: string
  /** For titles, whose names are taken apart. */
  forTitles: string
  /** The words that should be there, each once, those that are there most often first. */
  words: string[]
  /** A quoted phrase or an excluded word is a condition. */
  isLiteral: boolean
  hasOperators: boolean
}

const maxWords = 64
const pieces = /-*"[^"]*"?|\S+/g

export function readQuery(text: string): QueryText {
  const typed = fewWords(text)
  const parts = fewWords(takeApart(typed))
  const isLiteral = /"|(^|\s)-[^\s-]/.test(text)
  return {
    forText: parts === typed ? typed : `${typed} or ${parts}`,
    forTitles: parts,
    words: wordsOf(takeApart(text.replaceAll(pieces, (piece) => (piece.startsWith('-') ? ' ' : piece)))),
    isLiteral,
    hasOperators: isLiteral || /\bor\b/i.test(text),
  }
}

/** As in the index of titles: `src/userId.ts` is three words and `gpt-6` two. */
function takeApart(text: string): string {
  return text.replaceAll(pieces, (piece) =>
    piece.startsWith('-')
      ? piece
      : piece
          .replaceAll(/(?<=[\p{L}\p{N}])[^\p{L}\p{N}\p{M}\s"]+(?=[\p{L}\p{N}])/gu, ' ')
          .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' '),
  )
}

function wordsOf(text: string): string[] {
  const counts = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}\p{M}_]{1,100}/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, maxWords)
    .map(([word]) => word)
}
