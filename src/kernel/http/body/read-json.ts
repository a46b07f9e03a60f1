import { invalid } from '#kernel/errors'
import { checkDepth } from './json-depth.ts'
import { scanJson, startScan } from './json-scan.ts'

/**
 * Bodies above this size are counted, scanned before they are parsed, and parsed one at a time. Below it even the
 * slowest JSON is parsed in some tens of milliseconds.
 */
export const largeBody = 128 * 1024

const decoder = new TextDecoder('utf-8', { fatal: true })
const scanned = new WeakSet<Uint8Array>()

/** Remembers that a large body was scanned while it waited for its turn. */
export function markScanned(bytes: Uint8Array): void {
  scanned.add(bytes)
}

/**
 * Parses a body. It must be valid UTF-8: replacement characters would silently change what was sent. What is nested
 * too deeply for code that recurses, or would take far more time and memory than its size suggests, returns 400.
 */
export function readJson(bytes: Uint8Array): unknown {
  const isLarge = bytes.length > largeBody
  if (isLarge && !scanned.has(bytes)) scanJson(bytes, startScan(), bytes.length)
  const value = parseText(decode(bytes))
  // Cheaper than a scan of the bytes: most of them are text.
  if (!isLarge) checkDepth(value)
  return value
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}

function parseText(text: string): unknown {
  if (text === '') throw invalid('The body is empty. Send a JSON value.')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(`The body is not valid JSON: ${(error as Error).message.replace(/\.$/, '')}.`)
  }
}
