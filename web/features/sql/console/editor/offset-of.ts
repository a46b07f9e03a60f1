/** PostgreSQL counts characters; a text of JavaScript counts two for those outside of the basic plane. */
export function offsetOf(text: string, characters: number): number {
  let offset = 0
  for (let left = characters; left > 0 && offset < text.length; left -= 1)
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1
  return offset
}

/** `line 2, character 5`: for those who do not see what is underlined. */
export function placeText(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `line ${before.length}, character ${(before.at(-1) ?? '').length + 1}`
}
