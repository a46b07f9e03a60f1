import { createHash } from 'node:crypto'
import { blobMark, type Blob } from '../segment.ts'

/** How base64 of the types begins that are worth a look or a download, and no text begins. */
const beginnings: readonly [string, string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi0', 'application/pdf'],
]

/** A whole JSON string, also within a text that is JSON itself, or the rest of a `data:` address. */
const start = /(?:[:[,]\s?\\*"|;base64,)(?=iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0)/g
/** Data that says its type beside it, whatever it begins with. */
const typed = /(?:"data":"|;base64,)(?=[A-Za-z0-9+/]{1024})/g

/** Cuts images and documents out of a line: `blob:<sha256>` is left in their place. */
export function cutImages(line: string): { line: string; blobs: Blob[] } {
  const blobs = new Map<string, Blob>()
  let result = cut(line, start, blobs)
  result = cut(result, typed, blobs)
  return { line: result, blobs: [...blobs.values()] }
}

function cut(line: string, expression: RegExp, blobs: Map<string, Blob>): string {
  let result = ''
  let from = 0
  expression.lastIndex = 0
  for (let match = expression.exec(line); match !== null; match = expression.exec(line)) {
    const begin = match.index + match[0].length
    const end = endOf(line, begin)
    expression.lastIndex = end
    const blob = makeBlob(line, match.index, begin, end)
    if (blob === undefined) continue
    blobs.set(blob.sha256, blob)
    result += `${line.slice(from, begin)}${blobMark}${blob.sha256}`
    from = end
  }
  return from === 0 ? line : result + line.slice(from)
}

/** In pieces: one expression over megabytes would need as much memory for its way back. */
function endOf(line: string, begin: number): number {
  for (let at = begin; at < line.length; at += 65_536) {
    const other = line.slice(at, at + 65_536).search(/[^A-Za-z0-9+/=]/)
    if (other !== -1) return at + other
  }
  return line.length
}

function makeBlob(line: string, at: number, begin: number, end: number): Blob | undefined {
  const next = line[end]
  if (next !== '"' && next !== '\\') return undefined
  const mime = mimeOf(line, at, begin, end)
  if (mime === undefined) return undefined
  const data = Buffer.from(line.slice(begin, end), 'base64')
  return { sha256: createHash('sha256').update(data).digest('hex'), mime, data }
}

function mimeOf(line: string, at: number, begin: number, end: number): string | undefined {
  const head = line.slice(begin, begin + 16)
  const known = beginnings.find(([text]) => head.startsWith(text))?.[1]
  if (known !== undefined) return known
  const near = `${line.slice(Math.max(0, at - 200), begin)} ${line.slice(end, end + 200)}`
  if (near.includes('"redacted_thinking"')) return undefined
  return /(?:"(?:media_?[tT]ype|mime_?[tT]ype)":"|data:)((?:image|audio|video|application)\/[\w.+-]{1,60})/.exec(
    near,
  )?.[1]
}
