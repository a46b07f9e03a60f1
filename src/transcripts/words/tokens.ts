/** A run of letters and digits; everything else separates words, so that parts of paths and names are found. */
export interface Token {
  from: number
  to: number
}

const letterOrDigit = /[\p{L}\p{N}\p{M}]/u

function isWordCode(code: number): boolean {
  if (code < 128)
    return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
  // Half of a character beyond the first plane: mostly rare letters and emoji, which both may be looked for.
  if (code >= 0xd800 && code <= 0xdfff) return true
  return letterOrDigit.test(String.fromCharCode(code))
}

/** The token at this place or after it. */
export function nextToken(text: string, start: number): Token | null {
  let from = start
  while (from < text.length && !isWordCode(text.charCodeAt(from))) from++
  if (from === text.length) return null
  let to = from + 1
  while (to < text.length && isWordCode(text.charCodeAt(to))) to++
  return { from, to }
}

/** The token that contains this place. */
export function tokenAround(text: string, place: number): Token {
  let from = place
  while (from > 0 && isWordCode(text.charCodeAt(from - 1))) from--
  let to = place + 1
  while (to < text.length && isWordCode(text.charCodeAt(to))) to++
  return { from, to }
}

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (let token = nextToken(text, 0); token !== null; token = nextToken(text, token.to)) tokens.push(token)
  return tokens
}
