export interface Piece {
  text: string
  isMarked: boolean
}

/** Splits a text at the highlighted ranges. Ranges that overlap or lie outside the text are skipped. */
export function piecesOf(text: string, places: readonly (readonly [number, number])[]): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const [from, to] of places.toSorted(([one], [other]) => one - other)) {
    if (from < end || to <= from || to > text.length) continue
    if (from > end) pieces.push({ text: text.slice(end, from), isMarked: false })
    pieces.push({ text: text.slice(from, to), isMarked: true })
    end = to
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMarked: false })
  return pieces
}
