/** How the keys of the known providers begin; the longer beginnings come first. */
const beginnings = [
  ['sk-ant-', 'anthropic'],
  ['sk-or-', 'openrouter'],
  ['pplx-', 'perplexity'],
  ['AIza', 'gemini'],
  ['sk-', 'openai'],
] as const

/** The provider a pasted key looks to be of. Only a guess: it never keeps anybody from going on. */
export function recogniseProvider(key: string): string | undefined {
  return beginnings.find(([beginning]) => key.trim().startsWith(beginning))?.[1]
}

/** Keys hold no spaces: most often it is a whole line that was pasted, or only a part of the key. */
export function keyProblem(key: string): string | undefined {
  const value = key.trim()
  if (value === '') return 'Paste the key that the provider gave you.'
  if (/\s/.test(value)) return 'A key holds no spaces or line breaks. Paste the key alone.'
  return value.length < 8 ? 'This is too short to be a key. Paste the whole of it.' : undefined
}

/** A name that is not taken yet, so that adding a key takes a paste and a click. */
export function nameForNext(taken: readonly string[]): string {
  if (taken.length === 0) return 'Main'
  let number = taken.length + 1
  while (taken.includes(`Key ${number}`)) number += 1
  return `Key ${number}`
}
