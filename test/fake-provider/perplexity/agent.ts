import { callIds, compose } from '../completion.ts'
import type { Completion } from '../completion.ts'
import type { Identifiers } from '../identifiers.ts'
import { objectOf, objectsOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { readResponsesPrompt } from '../openai/responses-prompt.ts'
import { namedEvent } from '../sse.ts'
import { eventStream, jsonBody } from '../provider-api.ts'
import type { Exchange, Outgoing } from '../provider-api.ts'
import { checkAgent } from './check-agent.ts'
import { dollars, pages } from './search.ts'

export function respondAgent({ request, reply, identifiers }: Exchange): Outgoing {
  if (reply.unchecked !== true) checkAgent(request.json)
  const body = objectOf(request.json)
  const format = objectOf(body['response_format'])
  const searches = objectsOf(body['tools']).some((tool) => tool['type'] === 'web_search')
  const read = readResponsesPrompt(body, body['reasoning'] === undefined ? 'none' : 'shown')
  const schema = objectOf(format['json_schema'])['schema']
  const prompt = { ...read, json: format['type'] === 'json_schema' ? { schema } : undefined }
  const completion = compose(prompt, reply, callIds(identifiers, 'call_', 24))
  const cited =
    searches && prompt.json === undefined && reply.text === undefined && completion.calls.length === 0
  const text = cited ? `${completion.text}[1][2]` : completion.text
  const output = outputItems(text, completion, searches && completion.calls.length === 0, identifiers)
  const response: JsonObject = {
    id: identifiers.next('resp_', 32),
    created_at: Math.floor(Date.now() / 1000),
    model: body['model'] ?? 'perplexity/sonar',
    object: 'response',
    ...ending(completion),
    output,
    error: null,
    usage: usage(completion, searches),
  }
  if (body['stream'] !== true) return jsonBody(200, response)
  return eventStream(renderStream(response, completion, cited ? '[1][2]' : ''))
}

function outputItems(
  text: string,
  completion: Completion,
  searched: boolean,
  identifiers: Identifiers,
): JsonObject[] {
  const annotations = searched
    ? pages.map((page) => ({ type: 'citation', url: page.url, title: page.title }))
    : []
  const items: JsonObject[] = []
  if (searched) items.push({ type: 'search_results', queries: ['what was asked'], results: pages })
  if (text !== '') {
    items.push({
      id: identifiers.next('msg_', 24),
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations }],
    })
  }
  for (const call of completion.calls) {
    items.push({
      id: identifiers.next('fc_', 24),
      type: 'function_call',
      status: 'completed',
      call_id: call.id,
      name: call.name,
      arguments: call.arguments,
    })
  }
  return items
}

function ending(completion: Completion): JsonObject {
  if (completion.nativeFinish !== undefined) return { status: completion.nativeFinish }
  if (completion.finish === 'length') {
    return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  }
  if (completion.finish === 'content_filter') {
    return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
  }
  return { status: completion.calls.length > 0 ? 'requires_action' : 'completed' }
}

function usage(completion: Completion, searched: boolean): JsonObject {
  const { input, cached, cacheWrite, output, reasoning } = completion.usage
  const searchCost = searched ? 0.0025 : 0
  const inputCost = dollars(input - cached, 0.25)
  const outputCost = dollars(output, 2.5)
  const cacheCost = dollars(cached, 0.0625)
  return {
    input_tokens: input,
    input_tokens_details: { cache_read_input_tokens: cached, cache_creation_input_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
    ...(searched ? { tool_calls_details: { search_web: { invocation: 1 } } } : {}),
    cost: {
      currency: 'USD',
      input_cost: inputCost,
      output_cost: outputCost,
      cache_creation_cost: 0,
      cache_read_cost: cacheCost,
      tool_calls_cost: searchCost,
      total_cost: Math.round((inputCost + outputCost + cacheCost + searchCost) * 1e7) / 1e7,
    },
  }
}

/** Searches are sent as reasoning; a function call comes whole in its `done` event. */
function* renderStream(response: JsonObject, completion: Completion, markers: string): Iterable<string> {
  let sequence = 0
  const emit = (type: string, more: JsonObject) => {
    sequence += 1
    return namedEvent(type, { type, sequence_number: sequence, ...more })
  }
  const begun = { ...response, status: 'in_progress', output: [], usage: null }
  yield emit('response.created', { response: begun })
  yield emit('response.in_progress', { response: begun })
  const output = objectsOf(response['output'])
  if (completion.reasoning !== '') yield emit('response.reasoning.started', { thought: completion.reasoning })
  for (const item of output.filter((one) => one['type'] === 'search_results')) {
    yield emit('response.reasoning.search_queries', { queries: item['queries'], thought: null })
    yield emit('response.reasoning.search_results', { results: item['results'], usage: null })
  }
  if (completion.reasoning !== '') yield emit('response.reasoning.stopped', { thought: null })
  for (const [index, item] of output.entries()) {
    if (item['type'] === 'search_results') continue
    const place = { item_id: item['id'], output_index: index, content_index: 0 }
    if (item['type'] === 'message') {
      const opened = { ...item, status: 'in_progress', content: [] }
      yield emit('response.output_item.added', { output_index: index, item: opened })
      for (const delta of completion.pieces()) yield emit('response.output_text.delta', { ...place, delta })
      if (markers !== '') yield emit('response.output_text.delta', { ...place, delta: markers })
      yield emit('response.output_text.done', { ...place, text: completion.text + markers })
    }
    yield emit('response.output_item.done', { output_index: index, item })
  }
  const status = response['status']
  const final = status === 'failed' || status === 'incomplete' ? status : 'completed'
  yield emit(`response.${final}`, { response })
}
