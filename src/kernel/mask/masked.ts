/** Replaces a secret. */
export const masked = '[masked]'

/** Whether a value can be a secret: not one that was masked before, no variable and no placeholder. */
export function isReal(value: string): boolean {
  return !value.includes(masked) && !/^(?:[$*<{%]|x{4,}$|your[-_]|\.\.\.)/i.test(value)
}

/** More characters of a pattern at once would overflow the stack of the engine. */
const longestRun = 8_192

/** The pattern with a limit for what it repeats; `endOfRun` reads on. */
export const limited = (pattern: string): string => pattern.replaceAll(',}', `,${longestRun}}`)

const more = /[\w.+/=~-]{1,8192}/y

/** Where a value ends that a limited pattern found. */
export function endOfRun(text: string, { from, to }: Span): number {
  let end = to
  for (let length = to - from; length >= longestRun; end += length) {
    more.lastIndex = end
    length = more.exec(text)?.[0].length ?? 0
  }
  return end
}

export interface Span {
  from: number
  to: number
}

/** Replaces the spans, which must be in order. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text
  let result = ''
  let from = 0
  for (const span of spans) {
    result += text.slice(from, span.from) + masked
    from = span.to
  }
  return result + text.slice(from)
}
