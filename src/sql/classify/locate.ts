/** From a position that the parser reports to a character index in the text; -1 and nothing become null. */
export type Locate = (location: unknown) => number | null

/** The parser counts bytes of UTF-8. Where it leaves the location out, it means 0. */
export function locateBytes(text: string, base = 0): Locate {
  const indexes = Buffer.byteLength(text) === text.length ? undefined : indexesOfBytes(text)
  return (location) => {
    const byte = location ?? 0
    if (typeof byte !== 'number' || byte < 0) return null
    return base + (indexes === undefined ? byte : (indexes[byte] ?? text.length))
  }
}

/** The parser counts code points in the position of an error. */
export function locateCodePoint(text: string, codePoint: number): number {
  let index = 0
  for (let count = 0; count < codePoint && index < text.length; count += 1)
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
  return index
}

function indexesOfBytes(text: string): Uint32Array {
  const indexes = new Uint32Array(Buffer.byteLength(text) + 1)
  let byte = 0
  let index = 0
  for (const character of text) {
    const size = Buffer.byteLength(character)
    indexes.fill(index, byte, byte + size)
    byte += size
    index += character.length
  }
  indexes[byte] = index
  return indexes
}
