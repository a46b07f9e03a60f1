export type Span =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'bold'; spans: Span[] }
  | { kind: 'italic'; spans: Span[] }
  | { kind: 'link'; text: string; href: string }

const patterns = [
  '`(?<code>[^`\\n]+)`',
  '\\*\\*(?<bold>\\S(?:.*?\\S)?)\\*\\*',
  '(?<![\\w*])\\*(?<italic>[^\\s*](?:[^*\\n]*[^\\s*])?)\\*(?![\\w*])',
  // Only web addresses: nothing else may become a link.
  '\\[(?<label>[^\\]\\n]+)\\]\\((?<href>https?://[^\\s)]+)\\)',
].join('|')

/** Code, bold, italic and links within a line of text. */
export function readSpans(text: string): Span[] {
  const spans: Span[] = []
  let end = 0
  for (const match of text.matchAll(new RegExp(patterns, 'gs'))) {
    if (match.index > end) spans.push({ kind: 'text', text: text.slice(end, match.index) })
    spans.push(spanOf(match.groups ?? {}))
    end = match.index + match[0].length
  }
  if (end < text.length) spans.push({ kind: 'text', text: text.slice(end) })
  return spans
}

function spanOf({ code, bold, italic, label = '', href = '' }: Record<string, string | undefined>): Span {
  if (code !== undefined) return { kind: 'code', text: code }
  if (bold !== undefined) return { kind: 'bold', spans: readSpans(bold) }
  if (italic !== undefined) return { kind: 'italic', spans: readSpans(italic) }
  return { kind: 'link', text: label, href }
}
