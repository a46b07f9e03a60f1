/** Marks around words that match; they are no part of a stored text that people read. */
export const marks = { start: '\u0002', end: '\u0003' } as const

/** A headline is made of so many characters, around the first word that matches. */
const excerptLength = 2_000
const before = 400

export function excerptOf(text: string, words: readonly string[]): string {
  const clean = text.replaceAll(marks.start, ' ').replaceAll(marks.end, ' ')
  if (clean.length <= excerptLength) return clean
  const lower = clean.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)
  const start = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - before)
  return clean.slice(start, start + excerptLength).toWellFormed()
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
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character)
}
