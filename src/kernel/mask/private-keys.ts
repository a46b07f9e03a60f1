import { maskSpans, type Span } from './masked.ts'

const begin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
/** The end of the key, or of the string that it is in: some keys are cut off. */
const end = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|"/g

export function maskPrivateKeys(text: string): string {
  const spans: Span[] = []
  begin.lastIndex = 0
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const from = begin.lastIndex
    const to = endOf(text, from)
    if (to > from) spans.push({ from, to })
    begin.lastIndex = to
  }
  return maskSpans(text, spans)
}

function endOf(text: string, from: number): number {
  end.lastIndex = from
  let to = end.exec(text)?.index ?? text.length
  // Backslashes before a quotation mark belong to it.
  if (text[to] === '"') while (to > from && text[to - 1] === '\\') to--
  return to
}
