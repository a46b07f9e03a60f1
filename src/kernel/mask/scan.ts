export interface Needle {
  text: string
  /** Upper and lower case are the same. */
  ignoresCase: boolean
}

/** Is called where a needle is; may return the position to continue at. */
type Meet<T> = (needle: T, at: number) => number | undefined

/**
 * Finds many words of three characters or more in one pass. Tables of the first three decide where a word can begin,
 * which is several times faster than one expression with all words.
 */
export function createScan<T extends Needle>(needles: readonly T[]): (text: string, meet: Meet<T>) => void {
  const buckets: T[][] = [[]]
  const pairs = new Uint16Array(128 * 128)
  for (const needle of needles)
    for (const pair of pairsOf(needle)) {
      if (pairs[pair] === 0) pairs[pair] = buckets.push([]) - 1
      buckets[pairs[pair] as number]?.push(needle)
    }
  const thirds = new Uint8Array(128 * buckets.length)
  buckets.forEach((bucket, index) => {
    for (const needle of bucket) for (const code of codesOf(needle, 2)) thirds[128 * index + code] = 1
  })
  return (text, meet) => {
    for (let at = 0; at < text.length - 2; at++) {
      const first = text.charCodeAt(at)
      const second = text.charCodeAt(at + 1)
      if (first > 127 || second > 127) continue
      const bucket = pairs[(first << 7) | second] as number
      // The loop adds one.
      if (bucket !== 0 && thirds[128 * bucket + Math.min(text.charCodeAt(at + 2), 127)] === 1)
        at = meetAll(buckets[bucket] as T[], text, at, meet) - 1
    }
  }
}

function meetAll<T extends Needle>(needles: readonly T[], text: string, at: number, meet: Meet<T>): number {
  for (const needle of needles) {
    if (!isAt(needle, text, at)) continue
    const next = meet(needle, at)
    if (next !== undefined) return next
  }
  return at + 1
}

function isAt({ text: word, ignoresCase }: Needle, text: string, at: number): boolean {
  if (!ignoresCase) return text.startsWith(word, at)
  for (let index = 0; index < word.length; index++)
    if (lower(text.charCodeAt(at + index)) !== word.charCodeAt(index)) return false
  return true
}

const lower = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code)

function pairsOf(needle: Needle): Set<number> {
  return new Set(codesOf(needle, 0).flatMap((one) => codesOf(needle, 1).map((two) => (one << 7) | two)))
}

function codesOf({ text, ignoresCase }: Needle, index: number): number[] {
  const letter = text[index] ?? ''
  return [letter, ...(ignoresCase ? [letter.toUpperCase()] : [])].map((each) => each.charCodeAt(0))
}
