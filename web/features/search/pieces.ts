export interface Piece {
  text: string
  isMarked: boolean
}

/** A text cut at the given places. Places that overlap, are out of order or lie outside are not marked twice. */
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
