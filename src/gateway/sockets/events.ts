import type { IncomingHttpHeaders } from 'node:http'
import { faults, type Fault } from '#kernel/errors'
import type { OwnResponse } from '#kernel/http'
import { envelope, responseUsage } from '../apis/responses/envelope.ts'
import { noUsage } from '../wire/chunk-writer.ts'
import { isObject, objectOf, stringOf, type JsonObject } from '../wire/json.ts'

const shownNames = [
  'retry-after',
  'x-should-retry',
  'x-request-id',
  'x-upstream-request-id',
  'x-signalbox-dropped',
] as const

/** Headers of an HTTP response that programs act on; over a WebSocket they are members of its first event. */
export function shownHeaders(headers: IncomingHttpHeaders): JsonObject {
  const shown = shownNames.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))
  return Object.fromEntries(shown) as JsonObject
}

/** An HTTP error as the event of a WebSocket. */
export function errorOfResponse({ status, headers, body }: OwnResponse): JsonObject {
  const { error } = objectOf(body)
  return { type: 'error', status, error: isObject(error) ? error : {}, headers: shownHeaders(headers) }
}

export function errorOfFault(fault: Fault, requestId: string): JsonObject {
  return {
    type: 'error',
    status: fault.status,
    ...fault.body(),
    headers: { ...fault.headers, 'x-request-id': requestId },
  }
}

/** The error inside a stream, which has no status of its own. */
export function errorOfStream(event: JsonObject): JsonObject {
  const code = stringOf(event['code'])
  const kind = Object.values(faults).find((each) => each.code === code) ?? faults.provider
  const error = { message: event['message'], type: kind.type, param: event['param'] ?? null, code }
  return { type: 'error', sequence_number: event['sequence_number'], status: kind.status, error }
}

/** The events of a response for which no model was asked. */
export function eventsWithoutModel(request: JsonObject, previousId: string | null): JsonObject[] {
  const begun: JsonObject = { ...envelope(request), previous_response_id: previousId }
  const ended = {
    ...begun,
    status: 'completed',
    completed_at: begun['created_at'],
    ...responseUsage(noUsage),
  }
  return [
    { type: 'response.created', sequence_number: 0, response: begun },
    { type: 'response.completed', sequence_number: 1, response: ended },
  ]
}
