import type { EmbeddingExchange, EmbeddingRequest } from '../provider.ts'
import { brokenFault } from '../wire/fault.ts'
import { bufferOf, isObject, objectOf, parseJson, type JsonObject } from '../wire/json.ts'
import { decimalAt, readChatUsage } from './usage.ts'

/** Passes a request through to an upstream that has OpenAI's embeddings. */
export function passEmbeddings(
  { body }: EmbeddingRequest,
  { name, model, path = '/embeddings' }: { name: string; model: string; path?: string },
): EmbeddingExchange {
  return {
    path,
    bodies: [JSON.stringify({ ...body, model })],
    dropped: [],
    response([bytes = new Uint8Array()]) {
      const json = bufferOf(bytes)
      const usage = readChatUsage(readEmbeddings(name, json)['usage'])
      return { body: bytes, usage: usage && { ...usage, statedCost: decimalAt(json, ['usage', 'cost']) } }
    },
  }
}

/** A response that holds vectors. */
export function readEmbeddings(name: string, json: Buffer, member = 'data'): JsonObject {
  const response = parseJson(json.toString())
  if (!isObject(response) || !Array.isArray(response[member]))
    throw brokenFault(name, 'sent a response without embeddings', json.toString('utf8', 0, 500))
  return response
}

/** What OpenAI would send for these vectors. */
export function writeEmbeddings(
  { model, body }: EmbeddingRequest,
  vectors: readonly (readonly number[])[],
  promptTokens: number,
): string {
  const isBase64 = body['encoding_format'] === 'base64'
  const data = vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: isBase64 ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector,
  }))
  const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens }
  return JSON.stringify({ object: 'list', data, model, usage })
}

/** The texts of a request, for an upstream that takes nothing else. */
export function textsOf(body: EmbeddingRequest['body']): unknown[] {
  const { input } = objectOf(body)
  return Array.isArray(input) ? input : [input]
}
