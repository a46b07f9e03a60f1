import { checkDepth } from './json-depth.ts'
import { scanJson, startScan } from './json-scan.ts'
import { decodeText, parseText } from './parse-text.ts'

/**
 * Bodies above this size are counted, scanned while they arrive, and parsed one at a time. Below it even the slowest
 * JSON is parsed in some tens of milliseconds.
 */
export const largeBody = 128 * 1024

const parsed = new WeakMap<Uint8Array, unknown>()

/** Remembers what a large body holds; it was parsed when it had its turn. */
export function markParsed(bytes: Uint8Array, value: unknown): void {
  parsed.set(bytes, value)
}

/**
 * Parses a body, once. What is nested too deeply for code that recurses, or would take far more time and memory than
 * its size suggests, returns 400.
 */
export function readJson(bytes: Uint8Array): unknown {
  const isLarge = bytes.length > largeBody
  if (isLarge && parsed.has(bytes)) {
    const value = parsed.get(bytes)
    // The caller has it now, and may change it.
    parsed.delete(bytes)
    return value
  }
  if (isLarge) scanJson(bytes, startScan(), bytes.length)
  const value = parseText(decodeText(bytes))
  // Cheaper than a scan of the bytes: most of them are text.
  if (!isLarge) checkDepth(value)
  return value
}
