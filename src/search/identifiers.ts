/** Names in code and paths, taken apart, so that `listener.ts` finds src/kernel/db/listener.ts and `user id` userId. */

const looksComposed = /[\p{Ll}\d]\p{Lu}|\p{Lu}{2}\p{Ll}|[\w-][/\\.:_#-][\w-]/u
const maxParts = 400

export function identifierParts(text: string): string {
  const parts = new Set<string>()
  for (const [token] of text.matchAll(/[\p{L}\p{N}_./\\:#@-]{3,200}/gu)) {
    if (!looksComposed.test(token)) continue
    for (const part of partsOf(token)) parts.add(part)
    if (parts.size >= maxParts) break
  }
  return [...parts].slice(0, maxParts).join(' ')
}

function partsOf(token: string): string[] {
  const segments = token.split(/[/\\]/).filter((segment) => segment !== '')
  const ends = segments.slice(1).map((_, index) => segments.slice(index + 1).join('/'))
  const beginnings = segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
  const names = segments.flatMap((segment) => segment.split(/[.:_#@-]+/)).flatMap(splitHumps)
  return [...ends, ...beginnings, ...names].filter((part) => part.length > 1)
}

function splitHumps(name: string): string[] {
  const humps = name
    .split(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    .filter((hump) => hump !== '')
  return humps.length > 1 ? [name, ...humps] : humps
}
