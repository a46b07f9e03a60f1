import { piecesOf } from './pieces.ts'

/** The text with the found words marked. Always text: an event may contain HTML. */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return text
  return piecesOf(text, words).map((piece, index) =>
    piece.isMarked ? (
      <mark key={index} className="rounded-xs bg-primary/40 text-ink">
        {piece.text}
      </mark>
    ) : (
      <span key={index}>{piece.text}</span>
    ),
  )
}
