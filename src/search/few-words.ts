/** The cost of ranking grows with the words of a query, faster than their number. */
const maxWords = 32
/** PostgreSQL refuses a query with some thirty minus signs in a row. */
const maxNegations = 16

/** What was typed, each word or quoted phrase once, and up to 32 words of it. */
export function fewWords(query: string): string {
  const kept = new Map<string, string>()
  let left = maxWords
  for (const [typed] of query.matchAll(/-*"[^"]*"?|\S+/g)) {
    const isOr = typed.toLowerCase() === 'or'
    const piece = isOr ? typed : firstWords(typed, left)
    // An `or` stays where it is; the number makes it differ from the one before.
    const key = isOr ? `or ${kept.size}` : piece.toLowerCase()
    if (kept.has(key)) continue
    kept.set(key, piece)
    if (!isOr) left -= countWords(piece)
    if (left <= 0) break
  }
  return withFewNegations([...kept.values()].join(' '))
}

const word = /[\p{L}\p{N}_]+/gu

const countWords = (text: string): number => text.match(word)?.length ?? 0

/** A piece without blanks may still be many words: `a,b,c`. */
function firstWords(piece: string, count: number): string {
  const after = [...piece.matchAll(word)][count]
  return after ? piece.slice(0, after.index) : piece
}

/** A hyphen inside a word is part of it. */
function withFewNegations(query: string): string {
  let negations = 0
  return query.replaceAll(/(?<![\p{L}\p{N}_])-/gu, (hyphen) => (++negations > maxNegations ? ' ' : hyphen))
}
