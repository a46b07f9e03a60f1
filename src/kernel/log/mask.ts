/**
 * A safety net behind the Secret type: anything that looks like a key is masked before a line is written.
 * Our own keys, the providers' keys, bearer tokens, `?key=` parameters and passwords inside addresses.
 * The first expression of each is a part that every match contains.
 */
const patterns: readonly [RegExp, RegExp, string][] = [
  [/sb-/, /\bsb-[A-Za-z0-9_-]{16,}/g, 'sb-[masked]'],
  [/(?:sk|pplx|xai|gsk|AQ)[-_.]/, /\b(sk|pplx|xai|gsk|AQ)[-_.][A-Za-z0-9._-]{12,}/g, '$1-[masked]'],
  [/AIza/, /\bAIza[A-Za-z0-9_-]{20,}/g, 'AIza[masked]'],
  [/bearer\s/, /\b(bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi, '$1[masked]'],
  [/(?:key|token)=/, /([?&](?:key|api_key|token)=)[^&\s"']+/gi, '$1[masked]'],
  [/:\/\//, /(:\/\/[^\s/:@"']*:)[^\s/@"']+@/g, '$1[masked]@'],
]

/** Most texts have none of these parts, and one look is cheaper than six. */
const anyPart = new RegExp(patterns.map(([part]) => part.source).join('|'), 'i')

export function mask(text: string): string {
  if (!anyPart.test(text)) return text
  let masked = text
  for (const [, pattern, replacement] of patterns) masked = masked.replace(pattern, replacement)
  return masked
}
