/** Text beyond this is extrapolated: no model accepts a much longer prompt. */
const countedCharacters = 4_000_000

/**
 * The tokenizer takes quadratic time for long runs without spaces, so text is counted in pieces. A cut before a space
 * does not change the count; one inside a long run adds at most one token.
 */
const pieceCharacters = 1_000

export function countText(text: string, countPiece: (piece: string) => number): number {
  const counted = text.length > countedCharacters ? text.slice(0, countedCharacters) : text
  let tokens = 0
  for (let start = 0; start < counted.length;) {
    const end = endOfPiece(counted, start)
    tokens += countPiece(counted.slice(start, end))
    start = end
  }
  return counted === text ? tokens : Math.round((tokens / counted.length) * text.length)
}

function endOfPiece(text: string, start: number): number {
  const end = start + pieceCharacters
  if (end >= text.length) return text.length
  const middle = start + pieceCharacters / 2
  const blank = text.slice(middle, end).lastIndexOf(' ')
  if (blank >= 0) return middle + blank
  const isInsidePair = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800
  return isInsidePair ? end - 1 : end
}

/** About four characters per token, for when the tokenizer is unavailable. */
export function roughCount(text: string): number {
  return Math.ceil(text.length / 4)
}
