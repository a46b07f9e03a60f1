import { Fault } from '#kernel/errors'
import type { ChatRequest, Provider, StreamReader, Usage } from '../provider.ts'
import { SseParser } from '../wire/sse.ts'
import { isObject, objectOf, parseJson } from '../wire/json.ts'

/** For tests: what the gateway's transport does, in its simplest form. */
export interface Outcome {
  readonly text: string
  readonly usage: Usage | null
  readonly delivered: string
  /** The bytes as the upstream sent them. */
  readonly upstream: Buffer
}

export function requestOf(body: object, raw = JSON.stringify(body)): ChatRequest {
  const fields = body as Record<string, unknown>
  const model = String(fields['model'])
  return {
    raw: Buffer.from(raw),
    model,
    requestedModel: model,
    isStream: fields['stream'] === true,
    wantsUsage: objectOf(fields['stream_options'])['include_usage'] === true,
    body: fields,
  }
}

/** Sends a request to a server and reads its answer through the provider. */
export async function send(provider: Provider, base: string, body: object): Promise<Outcome> {
  const request = requestOf(body)
  const exchange = provider.chat(request)
  const response = await fetch(base + exchange.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...provider.credentials('sk-test-key').headers },
    body: Buffer.from(exchange.body),
  })
  if (response.status >= 400) {
    const headers = Object.fromEntries(response.headers)
    throw provider.fault({ status: response.status, headers, body: await response.text() })
  }
  if (!request.isStream) {
    const upstream = Buffer.from(await response.arrayBuffer())
    const answer = exchange.response(upstream)
    return { text: Buffer.from(answer.body).toString(), usage: answer.usage, delivered: '', upstream }
  }
  const pieces: Uint8Array[] = []
  for await (const piece of response.body ?? []) pieces.push(piece)
  return { ...readAll(exchange.stream(), pieces), upstream: Buffer.concat(pieces) }
}

export function readAll(reader: StreamReader, pieces: Iterable<Uint8Array>) {
  const out: Uint8Array[] = []
  for (const piece of pieces) out.push(Buffer.from(reader.push(piece)))
  out.push(Buffer.from(reader.end()))
  return { text: Buffer.concat(out).toString(), usage: reader.usage, delivered: reader.delivered }
}

/** What a client gets before a fault, and the fault. */
export function readUntilFault(
  reader: StreamReader,
  pieces: Iterable<Uint8Array>,
): { text: string; fault: Fault } {
  const out: Uint8Array[] = []
  try {
    for (const piece of pieces) out.push(Buffer.from(reader.push(piece)))
    out.push(Buffer.from(reader.end()))
  } catch (error) {
    if (error instanceof Fault) return { text: Buffer.concat(out).toString(), fault: error }
    throw error
  }
  throw new Error('there was no fault')
}

/** The chunks of a stream as JSON, without the end marker. */
export function chunksOf(stream: string): Record<string, unknown>[] {
  return new SseParser()
    .push(Buffer.from(stream))
    .map(({ data }) => parseJson(data))
    .filter(isObject)
}

/** Cuts bytes at random places; the same seed cuts the same way. */
export function* cut(bytes: Uint8Array, seed: number): Iterable<Uint8Array> {
  let state = seed * 2_654_435_761 + 1
  for (let at = 0; at < bytes.length;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    // Mostly a few bytes, sometimes many: boundaries fall into characters, words and line ends alike.
    const size = (state >>> 16) % 8 === 0 ? 200 : 1 + ((state >>> 8) % 9)
    yield bytes.subarray(at, at + size)
    at += size
  }
}
