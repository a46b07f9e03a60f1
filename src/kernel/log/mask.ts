/**
 * A safety net behind the Secret type: anything that looks like a key is masked before a line is written.
 * Our own keys, the providers' keys, bearer tokens, `?key=` parameters and passwords inside addresses.
 */
const patterns: readonly [RegExp, string][] = [
  [/\bsb-[A-Za-z0-9_-]{16,}/g, 'sb-[masked]'],
  [/\b(sk|pplx|xai|gsk|AQ)[-_.][A-Za-z0-9._-]{12,}/g, '$1-[masked]'],
  [/\bAIza[A-Za-z0-9_-]{20,}/g, 'AIza[masked]'],
  [/\b(bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi, '$1[masked]'],
  [/([?&](?:key|api_key|token)=)[^&\s"']+/gi, '$1[masked]'],
  [/(:\/\/[^\s/:@"']*:)[^\s/@"']+@/g, '$1[masked]@'],
]

export function mask(text: string): string {
  let masked = text
  for (const [pattern, replacement] of patterns) masked = masked.replace(pattern, replacement)
  return masked
}
