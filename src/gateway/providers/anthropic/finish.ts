import { objectOf, stringOf, type JsonObject } from '../../wire/json.ts'

const reasons: Readonly<Record<string, string>> = {
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
}

/** Everything else, reasons yet to come included, is a stop. */
export function finishReason(stopReason: string): string {
  return Object.hasOwn(reasons, stopReason) ? (reasons[stopReason] ?? 'stop') : 'stop'
}

/** Why the model refused; `holder` carries stop_reason and stop_details. */
export function refusalOf(holder: JsonObject): string | null {
  if (holder['stop_reason'] !== 'refusal') return null
  const details = objectOf(holder['stop_details'])
  const explanation = stringOf(details['explanation'])
  if (explanation !== '') return explanation
  const category = stringOf(details['category'])
  return category === '' ? 'The model refused to answer.' : `The model refused to answer (${category}).`
}

/** Citations of web pages for the text between two positions of the content. */
export function toAnnotations(citations: readonly unknown[], start: number, end: number): unknown[] {
  const annotations: unknown[] = []
  for (const citation of citations) {
    // A page found by a search has a `url`; a result that the client gave itself names it as `source`.
    const { url, source, title } = objectOf(citation)
    const address = stringOf(url) || stringOf(source)
    if (!address.startsWith('http')) continue
    const found = { url: address, title: stringOf(title), start_index: start, end_index: end }
    annotations.push({ type: 'url_citation', url_citation: found })
  }
  return annotations
}
