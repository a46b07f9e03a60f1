import type { Fault } from '#kernel/errors'
import { toOpenAiUsage } from '../../../wire/chunk-writer.ts'
import type { ChatResponse, Usage } from '../../../provider.ts'
import { brokenFault } from '../../../wire/fault.ts'
import { reportedFault } from '../../../passthrough/fault.ts'
import {
  bufferOf,
  isAbsent,
  isObject,
  objectOf,
  parseJson,
  stringOf,
  type JsonObject,
} from '../../../wire/json.ts'
import { readOutput } from './output.ts'
import type { ResponseOutput } from './output.ts'

/** How the responses of one service are read. */
export interface ResponseRules {
  readonly name: string
  /** The model name for the client. */
  readonly model: string
  readonly wantsUsage: boolean
  /** The bytes are those of the response, where exact digits matter. */
  usageOf(response: JsonObject, json: Buffer): Usage | null
  /** What is added for the client; `results` are those that only the stream has shown. */
  decorate(response: JsonObject, output: ResponseOutput, results: readonly unknown[]): Decoration
}

export interface Decoration {
  readonly annotations: JsonObject[]
  /** Members beside `choices`. */
  readonly members: JsonObject
  /** Members beside the token counts. */
  readonly usage: JsonObject
}

export function readResponse(bytes: Uint8Array, rules: ResponseRules): ChatResponse {
  const response = parseResponse(bytes, rules.name)
  const usage = rules.usageOf(response, bufferOf(bytes))
  return { body: JSON.stringify(completion(response, usage, rules)), usage }
}

export function parseResponse(bytes: Uint8Array, name: string): JsonObject {
  const json = bufferOf(bytes)
  const response = parseJson(json.toString())
  if (!isObject(response)) {
    throw brokenFault(name, 'sent a response that is not JSON', json.toString('utf8', 0, 500))
  }
  const failure = failureOf(response, name)
  if (failure) throw failure
  if (!Array.isArray(response['output'])) {
    throw brokenFault(name, 'sent a response without output', json.toString('utf8', 0, 500))
  }
  return response
}

/** A failed response can come with status 200; it must never pass for an empty one. */
export function failureOf(response: JsonObject, name: string): Fault | undefined {
  if (!isAbsent(response['error'])) return reportedFault(name, response)
  const status = stringOf(response['status'])
  const isFailed = ['failed', 'cancelled', 'queued', 'in_progress'].includes(status)
  return isFailed ? brokenFault(name, `ended the response with status ${status}`) : undefined
}

export function finishReason(response: JsonObject, hasCalls: boolean): string {
  const reason = stringOf(objectOf(response['incomplete_details'])['reason'])
  if (reason === 'max_output_tokens') return 'length'
  if (reason === 'content_filter') return 'content_filter'
  return hasCalls ? 'tool_calls' : 'stop'
}

function completion(response: JsonObject, usage: Usage | null, rules: ResponseRules): JsonObject {
  const output = readOutput(response['output'])
  const decoration = rules.decorate(response, output, [])
  const created = Number(response['created_at'])
  return {
    id: `chatcmpl-${stringOf(response['id']).replace(/^resp_/, '')}`,
    object: 'chat.completion',
    created: created > 0 ? Math.floor(created) : Math.floor(Date.now() / 1000),
    model: rules.model,
    choices: [
      {
        index: 0,
        message: message(output, decoration),
        logprobs: null,
        finish_reason: finishReason(response, output.calls.length > 0),
      },
    ],
    ...(usage ? { usage: { ...toOpenAiUsage(usage), ...decoration.usage } } : {}),
    ...(typeof response['service_tier'] === 'string' ? { service_tier: response['service_tier'] } : {}),
    ...decoration.members,
  }
}

function message(output: ResponseOutput, { annotations }: Decoration): JsonObject {
  const { reasoning, reasoningDetails, calls } = output
  return {
    role: 'assistant',
    content: output.hasText ? output.text : null,
    refusal: output.refusal,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning, reasoning }),
    ...(reasoningDetails.length === 0 ? {} : { reasoning_details: reasoningDetails }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(annotations.length === 0 ? {} : { annotations }),
  }
}
