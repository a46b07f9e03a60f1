import { invalidField } from '#kernel/errors'
import { mask } from '#kernel/mask'
import { maxMetadata } from './contract.ts'

/*
 * What the database can hold and what an event may hold: no NUL, no half of a character, nothing that looks like a
 * key, and limits for every length.
 */

const maxDepth = 20

export function storableText(value: unknown, path: string, maxLength: number): string {
  if (typeof value !== 'string') throw invalidField(path, 'must be a string')
  return mask(cleanText(value, path, maxLength))
}

function cleanText(value: string, path: string, maxLength: number): string {
  if (value.length > maxLength) throw invalidField(path, `must have at most ${maxLength} characters`)
  if (value.includes('\0')) throw invalidField(path, 'must not contain NUL characters')
  return value.toWellFormed()
}

export function storableMetadata(value: unknown, path: string): Record<string, unknown> {
  return measuredMetadata(value, path).metadata
}

/** Also says how many characters it has as JSON, beside those that it shares with others. */
export function measuredMetadata(
  value: unknown,
  path: string,
  shared = 0,
): { metadata: Record<string, unknown>; size: number } {
  if (!isObject(value)) throw invalidField(path, 'must be an object')
  const metadata = clean(value, path, 0) as Record<string, unknown>
  const json = JSON.stringify(metadata)
  if (json.length + shared > maxMetadata)
    throw invalidField(path, `must have at most ${maxMetadata} characters as JSON`)
  // As a whole, because the name of a field says whether its value is a secret.
  const masked = mask(json)
  if (masked === json) return { metadata, size: json.length }
  return { metadata: JSON.parse(masked) as Record<string, unknown>, size: masked.length }
}

function clean(value: unknown, path: string, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value, path, maxMetadata)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) throw invalidField(path, `must not be nested deeper than ${maxDepth} levels`)
  if (Array.isArray(value)) return value.map((each) => clean(each, path, depth + 1))
  // A key such as __proto__ must stay data.
  const cleaned = Object.create(null) as Record<string, unknown>
  for (const [key, each] of Object.entries(value))
    cleaned[cleanText(key, path, maxMetadata)] = clean(each, path, depth + 1)
  return cleaned
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
