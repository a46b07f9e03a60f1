import { builtInNames } from '#gateway/contract'
import { shortestKey } from '#vault/contract'

const known: [id: string, { keyPrefix: string | null }][] = Object.entries(builtInNames)
/** How keys of the known providers start; longer prefixes come first. */
const beginnings = known
  .flatMap(([id, { keyPrefix }]) => (keyPrefix === null ? [] : { id, keyPrefix }))
  .toSorted((a, b) => b.keyPrefix.length - a.keyPrefix.length)

/** The likely provider of a pasted key. Only a guess, so it never blocks the form. */
export function recogniseProvider(key: string): string | undefined {
  return beginnings.find(({ keyPrefix }) => key.trim().startsWith(keyPrefix))?.id
}

/** Keys have no spaces: usually a whole line or only part of the key was pasted. */
export function keyProblem(key: string, isCustom = false): string | undefined {
  const value = key.trim()
  if (value === '') return 'Paste the key from your provider.'
  if (/\s/.test(value)) return 'A key has no spaces or line breaks. Paste the key alone.'
  // Local servers take placeholders such as EMPTY.
  if (isCustom) return undefined
  return value.length < shortestKey ? 'This is too short for a key. Paste the whole key.' : undefined
}

/** A free name, so that adding a key takes a paste and a click. */
export function nameForNext(taken: readonly string[]): string {
  if (taken.length === 0) return 'Main'
  let number = taken.length + 1
  while (taken.includes(`Key ${number}`)) number += 1
  return `Key ${number}`
}

/** A stored key that ends like the pasted one; the rest of a stored key is not known here. */
export function twinOf<Key extends { key_suffix: string }>(
  value: string,
  keys: readonly Key[],
): Key | undefined {
  const typed = value.trim()
  if (typed.length < 8) return undefined
  return keys.find(({ key_suffix }) => key_suffix !== '' && typed.endsWith(key_suffix))
}
