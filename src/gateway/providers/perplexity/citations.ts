import type { Decoration } from '../openai/responses/completion.ts'
import { citation } from '../openai/responses/output.ts'
import type { ResponseOutput } from '../openai/responses/output.ts'
import { arrayOf, isObject, objectOf, stringOf, type JsonObject } from '../../wire/json.ts'

/**
 * Sources as clients know them: an annotation for every marker such as [1] in the text, and the lists `citations`
 * and `search_results` of the old path.
 */
export function decorate(
  response: JsonObject,
  output: ResponseOutput,
  streamed: readonly unknown[],
): Decoration {
  const items = arrayOf(response['output']).map(objectOf)
  const listed = items
    .filter((item) => item['type'] === 'search_results')
    .flatMap((item) => arrayOf(item['results']))
  const results = (listed.length > 0 ? listed : streamed)
    .filter(isObject)
    .filter((result) => stringOf(result['url']) !== '')
  const cost = objectOf(response['usage'])['cost']
  return {
    annotations: annotate(output.text, results, items),
    members: results.length === 0 ? {} : { citations: urlsOf(results), search_results: results },
    usage: isObject(cost) ? { cost } : {},
  }
}

function urlsOf(results: readonly JsonObject[]): string[] {
  return [...new Set(results.map((result) => stringOf(result['url'])))]
}

function annotate(text: string, results: readonly JsonObject[], items: readonly JsonObject[]): JsonObject[] {
  const marked = [...text.matchAll(/\[(\d+)\]/g)].flatMap((marker) => {
    const source = results.find((result) => String(result['id']) === marker[1])
    return source ? [citation(source, marker.index, marker.index + marker[0].length)] : []
  })
  if (marked.length > 0) return marked
  // Named as sources, but nowhere in the text: they belong to all of it.
  return items
    .filter((item) => item['type'] === 'message')
    .flatMap((item) => arrayOf(item['content']).flatMap((part) => arrayOf(objectOf(part)['annotations'])))
    .filter(isObject)
    .filter((source) => stringOf(source['url']) !== '')
    .map((source) =>
      citation(source, numberOf(source['start_index'], 0), numberOf(source['end_index'], text.length)),
    )
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
