/** Cuts a text into pieces that a model can take in whole, at the best place there is. */

const maxWords = 220
const maxCharacters = 1_800
const overlapWords = 25
const maxChunks = 400
/** What has no space for this long is cut anyway: minified code, base64. */
const word = /\S{1,200}/gu
/** The end of a piece is looked for in its last part, so that pieces do not become tiny. */
const earliestEnd = 0.6

interface Span {
  start: number
  end: number
}

export function chunkText(text: string): string[] {
  const words = [...text.matchAll(word)].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }))
  const chunks: string[] = []
  let first = 0
  while (first < words.length && chunks.length < maxChunks) {
    const full = lastThatFits(words, first)
    const last = full === words.length - 1 ? full : bestEnd(text, words, first, full)
    chunks.push(text.slice(words[first]?.start, words[last]?.end))
    if (last === words.length - 1) break
    // Some words come again, so that a thought on the border is whole in one of the two.
    first = Math.max(first + 1, last + 1 - Math.min(overlapWords, Math.floor((last + 1 - first) / 4)))
  }
  return chunks
}

function lastThatFits(words: readonly Span[], first: number): number {
  const start = words[first]?.start ?? 0
  let last = first
  while (
    last + 1 < words.length &&
    last + 1 - first < maxWords &&
    (words[last + 1]?.end ?? 0) - start <= maxCharacters
  )
    last++
  return last
}

/** A paragraph's end, else a sentence's or a line's, else wherever a word ends. */
function bestEnd(text: string, words: readonly Span[], first: number, full: number): number {
  const earliest = first + Math.floor((full - first) * earliestEnd)
  let best = { index: full, strength: 0 }
  for (let index = full; index >= earliest; index--) {
    const gap = text.slice(words[index]?.end, words[index + 1]?.start)
    const strength = strengthOf(gap, text.charAt((words[index]?.end ?? 1) - 1))
    if (strength > best.strength) best = { index, strength }
    if (strength === 3) break
  }
  return best.index
}

function strengthOf(gap: string, before: string): number {
  if (/\n\s*\n/.test(gap)) return 3
  if (gap.includes('\n')) return 2
  return gap !== '' && /[.!?。！？؟]/.test(before) ? 2 : 0
}
