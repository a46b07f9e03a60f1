import { maxEventLength } from '../wire/sse.ts'

const newline = 0x0a
const carriage = 0x0d
const nothing = Buffer.alloc(0)

/**
 * Cuts a stream of bytes behind its last whole event. The unfinished rest waits, because only a whole event shows
 * whether the client may see it. Upstreams nearly always send whole events: such a piece is returned as it is.
 */
export class EventFrames {
  #held: Buffer[] = []
  #heldBytes = 0
  /** The last two bytes of what is held. */
  #edge = nothing

  /** Whole events, the blank line of the last one included; possibly none. */
  push(piece: Buffer): Buffer {
    const isLone = this.#held.length === 0
    if (isLone && endsEvent(piece)) return piece
    // A large event arrives in many pieces; they are joined once, when it ends, not again with every piece.
    if (!isLone && lastEventEnd(this.#withEdge(piece)) === 0) return this.#hold(piece)
    const joined = isLone ? piece : Buffer.concat([...this.#held, piece])
    const end = lastEventEnd(joined)
    this.#held = []
    this.#heldBytes = 0
    this.#edge = nothing
    if (end < joined.length) this.#hold(joined.subarray(end))
    return joined.subarray(0, end)
  }

  /** What came behind the last whole event. */
  rest(): Buffer {
    return Buffer.concat(this.#held)
  }

  get isOverflowing(): boolean {
    return this.#heldBytes > maxEventLength
  }

  /** The blank line may lie across two pieces. */
  #withEdge(piece: Buffer): Buffer {
    const start = Buffer.concat([this.#edge, piece.subarray(0, 2)])
    return lastEventEnd(start) > 0 ? start : piece
  }

  #hold(piece: Buffer): Buffer {
    this.#held.push(piece)
    this.#heldBytes += piece.length
    this.#edge = Buffer.concat([this.#edge, piece.subarray(-2)]).subarray(-2)
    return nothing
  }
}

function endsEvent(piece: Buffer): boolean {
  const last = piece.length - 1
  if (piece[last] !== newline) return false
  return piece[last - 1] === newline || (piece[last - 1] === carriage && piece[last - 2] === newline)
}

function lastEventEnd(bytes: Buffer): number {
  const plain = bytes.lastIndexOf('\n\n')
  const carried = bytes.lastIndexOf('\n\r\n')
  return Math.max(plain < 0 ? 0 : plain + 2, carried < 0 ? 0 : carried + 3)
}
