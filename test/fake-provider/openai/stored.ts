import { arrayOf, objectOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { eventStream, jsonBody } from '../provider-api.ts'
import type { Endpoint, Exchange, Outgoing } from '../provider-api.ts'
import type { RecordedRequest } from '../record.ts'
import { namedEvent } from '../sse.ts'
import { refuse } from './fault.ts'

interface Stored {
  response: JsonObject
  input: JsonObject[]
  /** Any key of the project sees it; the fake has one project for each key. */
  key: string
}

/** Responses that were not created with `store: false`. The oldest are forgotten. */
const kept = new Map<string, Stored>()
const maxKept = 1_000

export function store(request: RecordedRequest, response: JsonObject): void {
  const { input } = objectOf(request.json)
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : arrayOf(input)
  const id = stringOf(response['id'])
  kept.set(id, {
    response,
    input: items.map((item, n) => ({ id: `msg_${n}`, type: 'message', ...objectOf(item) })),
    key: request.headers.authorization ?? '',
  })
  const [oldest] = kept.keys()
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
}

export function isStored(request: RecordedRequest, id: unknown): boolean {
  return kept.get(stringOf(id))?.key === request.headers.authorization
}

function find({ request }: Exchange): Stored {
  const id = request.path.split('/')[2] ?? ''
  const found = kept.get(id)
  if (found?.key !== request.headers.authorization)
    refuse(`Response with id '${id}' not found.`, null, null, 404)
  return found as Stored
}

function get(exchange: Exchange): Outgoing {
  const { response } = find(exchange)
  if (exchange.request.query.get('stream') !== 'true') return jsonBody(200, response, {}, 2)
  const events = ['response.created', 'response.in_progress', 'response.completed']
  const after = Number(exchange.request.query.get('starting_after') ?? -1)
  const frames = events.map((type, n) => namedEvent(type, { type, sequence_number: n, response }))
  return eventStream(frames.slice(after + 1))
}

function remove(exchange: Exchange): Outgoing {
  const { response } = find(exchange)
  kept.delete(stringOf(response['id']))
  return jsonBody(200, { id: response['id'], object: 'response', deleted: true })
}

function listItems(exchange: Exchange): Outgoing {
  const data = find(exchange).input
  const ids = data.map(({ id }) => id)
  return jsonBody(200, { object: 'list', data, first_id: ids[0], last_id: ids.at(-1), has_more: false })
}

function cancel(exchange: Exchange): Outgoing {
  find(exchange)
  return refuse('Cannot cancel a synchronous response.')
}

export const storedEndpoints: Endpoint[] = [
  { name: 'stored', method: 'GET', path: /^\/responses\/resp_\w+$/, respond: get },
  { name: 'stored', method: 'DELETE', path: /^\/responses\/resp_\w+$/, respond: remove },
  { name: 'stored', method: 'GET', path: /^\/responses\/resp_\w+\/input_items$/, respond: listItems },
  { name: 'stored', method: 'POST', path: /^\/responses\/resp_\w+\/cancel$/, respond: cancel },
]
