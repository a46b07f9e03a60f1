import type { FastifyRequest } from 'fastify'
import { invalid, invalidField } from '#kernel/errors'
import { prepareJson, readJson } from '#kernel/http'
import { isAbsent, isObject, objectOf, stringOf, type JsonObject } from '../wire/json.ts'
import { checkModelName } from '../catalog/registry.ts'

/** One message of a client: a response to be created. */
export interface Turn {
  readonly model: string
  /** The fields of the request, without those that belong to the connection. */
  readonly body: JsonObject
  readonly input: readonly unknown[]
  /** The response that this one continues. */
  readonly previousId: string | null
  /** False: the model is not asked, and the input is only remembered for the next turn. */
  readonly generates: boolean
}

/** Reads a message. Throws a Fault that names an invalid field. */
export async function readTurn(bytes: Buffer, request: FastifyRequest): Promise<Turn> {
  await prepareJson(bytes, request)
  const message = readJson(bytes)
  if (!isObject(message)) throw invalid('The message must be a JSON object.')
  if (message['type'] !== 'response.create') throw invalidField('type', 'must be response.create')
  // Responses of a connection are streamed one after the other, whatever is asked for.
  const { type: _, stream: _stream, input, generate, ...more } = message
  const { stream_id: lane, previous_response_id: previous, ...body } = more
  if (!isAbsent(lane))
    throw invalidField('stream_id', 'is not supported: open a connection for each conversation')
  if (!isAbsent(previous) && typeof previous !== 'string')
    throw invalidField('previous_response_id', 'must be a string')
  const model = stringOf(body['model'])
  checkModelName(model)
  return {
    model,
    body,
    input: itemsOf(input),
    previousId: previous ?? null,
    generates: generate !== false,
  }
}

/** Anything else is refused where requests are read, by its name. */
function itemsOf(input: unknown): readonly unknown[] {
  if (isAbsent(input)) return []
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }]
  if (Array.isArray(input)) return input
  throw invalidField('input', 'must be a string or an array of items')
}

/** A result without its call cannot belong to the response that is continued, which not every provider notices. */
export function checkResults(known: readonly unknown[], { input }: Turn): void {
  const calls = new Set([...known, ...input].map((item) => callIdOf(item, 'call')))
  const lost = input.map((item) => callIdOf(item, 'call_output')).find((id) => id !== '' && !calls.has(id))
  if (lost === undefined) return
  throw invalidField('input', `has the result of a call that was not made: ${lost.slice(0, 100)}`)
}

function callIdOf(item: unknown, kind: 'call' | 'call_output'): string {
  const { type, call_id: id } = objectOf(item)
  return stringOf(type).endsWith(`_${kind}`) ? stringOf(id) : ''
}
