import { arrayOf, countOf, isObject, objectOf, statedCount, stringOf } from '../../wire/json.ts'

/** Text of the response in which citations count positions, and where it begins in the whole content. */
export interface CitedText {
  text: string
  start: number
}

/** Web sources as annotations. Google counts bytes of UTF-8 within a part; clients count in the whole content. */
export function toAnnotations(grounding: unknown, parts: readonly CitedText[]): unknown[] {
  const metadata = objectOf(grounding)
  const sources = arrayOf(metadata['groundingChunks']).map((chunk) => objectOf(objectOf(chunk)['web']))
  const annotations: unknown[] = []
  for (const item of arrayOf(metadata['groundingSupports'])) {
    const support = objectOf(item)
    const segment = objectOf(support['segment'])
    const part = parts[countOf(segment['partIndex'])]
    if (!part) continue
    const bytes = Buffer.from(part.text)
    const start_index = part.start + characters(bytes, countOf(segment['startIndex']))
    const end_index = part.start + characters(bytes, statedCount(segment['endIndex']) ?? bytes.length)
    for (const place of arrayOf(support['groundingChunkIndices'])) {
      const source = sources[statedCount(place) ?? -1]
      const url = stringOf(source?.['uri'])
      if (url === '') continue
      const found = { url, title: stringOf(source?.['title']), start_index, end_index }
      annotations.push({ type: 'url_citation', url_citation: found })
    }
  }
  return annotations
}

function characters(bytes: Buffer, count: number): number {
  return bytes.subarray(0, count).toString().length
}

/** Billed searches: every query from the third generation on, before that once for the request. */
export function countSearches(grounding: unknown, generation: number): number {
  if (!isObject(grounding)) return 0
  const queries = arrayOf(grounding['webSearchQueries']).length
  return generation >= 3 ? queries : Math.min(1, queries)
}
