import type { ChatResponse } from '../provider.ts'
import { noUsage } from './chunk-writer.ts'
import { brokenFault } from './fault.ts'
import { bufferOf, objectOf, parseJson, statedCount } from './json.ts'

/** A provider's count of input tokens, as the Messages API has it. */
export function readTokenCount(name: string, bytes: Uint8Array, field: string): ChatResponse {
  const count = statedCount(objectOf(parseJson(bufferOf(bytes).toString()))[field])
  if (count === undefined) throw brokenFault(name, 'did not count the tokens')
  return { body: JSON.stringify({ input_tokens: count }), usage: noUsage }
}

export const neverStreamed = (): never => {
  throw new Error('this response is never streamed')
}
