import { mask } from '#kernel/mask'

/** What the parsers need as it is, and nobody can read: it may contain anything by chance. */
const sealed =
  /("(?:signature|encrypted_content|encryptedContent|thoughtSignature|thinkingSignature)":")([^"\\]{40,})(?=")/g

/** Masks secrets in one raw line, except in what a provider sealed. */
export function maskSecrets(line: string): string {
  if (!line.includes('":"')) return mask(line)
  const kept: string[] = []
  // A raw line of JSON has no NUL, so that nothing else looks like the place of a kept value.
  const open = line.replace(sealed, (_, name: string, value: string) => `${name}\0${kept.push(value) - 1}\0`)
  const result = mask(open)
  return kept.length === 0
    ? result
    : result.replace(/\0(\d+)\0/g, (place, index) => kept[Number(index)] ?? place)
}
