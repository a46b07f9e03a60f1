// Lenient reading of JSON that an upstream sent: a value of the wrong type reads as absent.

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A whole number of tokens, calls or bytes; undefined when none is stated. */
export function statedCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.floor(value) : undefined
}

/** The same, with 0 when none is stated. */
export function countOf(value: unknown): number {
  return statedCount(value) ?? 0
}

/** Clients send null for fields they leave out. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

/** Undefined when the string is not JSON, which no JSON document parses to. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Leaves out members without a value: upstreams refuse some nulls that clients send. */
export function present(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** A view of the same memory with the methods that only Buffer has. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
