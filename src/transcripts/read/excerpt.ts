/** Marks around words that match; they are no part of a stored text that people read. */
export const marks = { start: '\u0002', end: '\u0003' } as const

/** A headline is made of so many characters, around the first word that matches. */
const excerptLength = 600
const before = 150

/**
 * Signs that join words. The index takes them for spaces; where the words are marked, characters that mean nothing take
 * their place, so that the same words are found.
 */
const joining = '<>/.:=@_-'
/** Control characters: letters of private use are parts of words for some versions of PostgreSQL. */
const firstStand = 0x0e
const stand = (index: number): string => String.fromCharCode(firstStand + index)
const anyJoining = new RegExp(`[${joining.replace('-', '\\-')}]`, 'g')
const anyStand = new RegExp(`[${stand(0)}-${stand(joining.length - 1)}]`, 'g')

/** The question as the index has the words: only a minus before a word means something. */
export function queryWords(text: string): string {
  return text.replaceAll(/[<>/.:=@_]/g, ' ').replaceAll(/(?<=[\p{L}\p{N}])-(?=[\p{L}\p{N}])/gu, ' ')
}

export function excerptOf(text: string, words: readonly string[]): string {
  const plain = text.replaceAll(marks.start, ' ').replaceAll(marks.end, ' ').replaceAll(anyStand, ' ')
  return around(plain, words).replaceAll(anyJoining, (sign) => stand(joining.indexOf(sign)))
}

function around(text: string, words: readonly string[]): string {
  if (text.length <= excerptLength) return text
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)
  const start = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - before)
  return text.slice(start, start + excerptLength).toWellFormed()
}

/** Escaped first, so that a mark is the only element that the text can contain. */
export function markedHtml(headline: string): string {
  const parts = headline.split(marks.start).flatMap((part, index) => {
    if (index === 0) return [escapeHtml(part)]
    const [match = '', ...rest] = part.split(marks.end)
    return [`<mark>${escapeHtml(match)}</mark>`, escapeHtml(rest.join(''))]
  })
  return parts.join('')
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text
    .replaceAll(anyStand, (sign) => joining[sign.charCodeAt(0) - firstStand] ?? '')
    .replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character)
}
