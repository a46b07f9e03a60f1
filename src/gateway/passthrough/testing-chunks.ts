import { arrayOf, isObject, objectOf, stringOf, type JsonObject } from '../wire/json.ts'
import { chunksOf } from './testing.ts'

/** For tests: what a client makes of an answer. */
export function messageOf(answer: JsonObject): Record<string, unknown> {
  return { ...objectOf(objectOf(arrayOf(answer['choices'])[0])['message']) }
}

export function deltasOf(chunks: readonly JsonObject[]): JsonObject[] {
  return chunks
    .flatMap((chunk) => arrayOf(chunk['choices']))
    .map((choice) => objectOf(objectOf(choice)['delta']))
}

/** Joins chunks as clients do: texts are appended, calls and reasoning details are joined by their index. */
export function assembled(stream: string): { message: Record<string, unknown>; finish: unknown } {
  const chunks = chunksOf(stream)
  const message: Record<string, unknown> = { role: 'assistant', content: null, refusal: null }
  for (const delta of deltasOf(chunks)) {
    for (const key of ['content', 'refusal', 'reasoning_content', 'reasoning']) {
      if (stringOf(delta[key]) !== '') message[key] = stringOf(message[key]) + stringOf(delta[key])
    }
    for (const key of ['tool_calls', 'reasoning_details']) {
      for (const piece of arrayOf(delta[key]).filter(isObject)) joinPiece(message, key, piece)
    }
    if (delta['annotations'] !== undefined) message['annotations'] = delta['annotations']
  }
  if (Array.isArray(message['tool_calls'])) {
    message['tool_calls'] = message['tool_calls'].map(
      ({ index: _index, ...call }: Record<string, unknown>) => call,
    )
  }
  const finish = chunks.flatMap((chunk) =>
    arrayOf(chunk['choices']).map((choice) => objectOf(choice)['finish_reason']),
  )
  return { message, finish: finish.find((reason) => reason !== null) }
}

function joinPiece(message: Record<string, unknown>, key: string, piece: JsonObject): void {
  const list = (message[key] ?? []) as Record<string, unknown>[]
  message[key] = list
  const known = list.find((each) => each['index'] === piece['index'])
  if (!known) {
    list.push(structuredClone(piece))
    return
  }
  if (typeof piece['summary'] === 'string') known['summary'] = stringOf(known['summary']) + piece['summary']
  const target = objectOf(piece['function'])
  const before = objectOf(known['function'])
  if (isObject(piece['function'])) {
    known['function'] = {
      ...before,
      arguments: stringOf(before['arguments']) + stringOf(target['arguments']),
    }
  }
}
