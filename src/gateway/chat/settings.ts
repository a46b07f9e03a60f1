import { invalidField } from '#kernel/errors'
import { isAbsent, type JsonObject } from '../wire/json.ts'
import {
  optionalBoolean,
  optionalInteger,
  optionalObject,
  optionalString,
  requireArray,
  requireObject,
  requireString,
} from '../wire/request-json.ts'

/** The newer name wins where a client sends both. */
export function readMaxTokens(body: JsonObject): number | undefined {
  const field = isAbsent(body['max_completion_tokens']) ? 'max_tokens' : 'max_completion_tokens'
  return optionalInteger(body[field], field, 1)
}

export function readStop(body: JsonObject): string[] {
  const { stop } = body
  if (isAbsent(stop)) return []
  if (typeof stop === 'string') return [stop]
  return requireArray(stop, 'stop').map((text, index) => requireString(text, `stop.${index}`))
}

export type ResponseFormat =
  | { kind: 'object' }
  | { kind: 'schema'; schema: JsonObject; path: string; isStrict: boolean }

/** Undefined means text. */
export function readResponseFormat(body: JsonObject): ResponseFormat | undefined {
  const format = optionalObject(body['response_format'], 'response_format')
  if (!format || format['type'] === 'text') return undefined
  if (format['type'] === 'json_object') return { kind: 'object' }
  if (format['type'] !== 'json_schema') {
    throw invalidField('response_format.type', 'must be text, json_object or json_schema')
  }
  const path = 'response_format.json_schema'
  const holder = requireObject(format['json_schema'], path)
  return {
    kind: 'schema',
    schema: requireObject(holder['schema'], `${path}.schema`),
    path: `${path}.schema`,
    isStrict: optionalBoolean(holder['strict'], `${path}.strict`) ?? false,
  }
}

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof efforts)[number]

export interface ReasoningSetting {
  effort: Effort | undefined
  /** Tokens the model may spend on reasoning. */
  budget: number | undefined
  /** The client wants reasoning but not its text. */
  isHidden: boolean
  /** The field that the client used, to name it when it is refused. */
  field: string
}

/** `reasoning_effort`, or the `reasoning` object, which can carry a budget; undefined when neither is there. */
export function readReasoning(body: JsonObject): ReasoningSetting | undefined {
  const plain = readEffort(body['reasoning_effort'], 'reasoning_effort')
  const setting = optionalObject(body['reasoning'], 'reasoning')
  if (!setting) {
    return plain && { effort: plain, budget: undefined, isHidden: false, field: 'reasoning_effort' }
  }
  const stated = readEffort(setting['effort'], 'reasoning.effort')
  if (plain && stated && plain !== stated) {
    throw invalidField('reasoning.effort', ['must not differ from ', { path: 'reasoning_effort' }])
  }
  const isEnabled = optionalBoolean(setting['enabled'], 'reasoning.enabled') ?? true
  return {
    effort: isEnabled ? (stated ?? plain) : 'none',
    budget: optionalInteger(setting['max_tokens'], 'reasoning.max_tokens', 1),
    isHidden: optionalBoolean(setting['exclude'], 'reasoning.exclude') ?? false,
    field: 'reasoning',
  }
}

function readEffort(value: unknown, path: string): Effort | undefined {
  const text = optionalString(value, path)
  if (text === undefined) return undefined
  const effort = efforts.find((known) => known === text)
  if (!effort) throw invalidField(path, `must be one of ${efforts.join(', ')}`)
  return effort
}

export interface ThinkingSetting {
  type: string
  budget: number | undefined
  display: string | undefined
}

/** The `thinking` object, as Anthropic's own clients send it. */
export function readThinking(body: JsonObject): ThinkingSetting | undefined {
  const thinking = optionalObject(body['thinking'], 'thinking')
  if (!thinking) return undefined
  return {
    type: requireString(thinking['type'], 'thinking.type'),
    budget: optionalInteger(thinking['budget_tokens'], 'thinking.budget_tokens', 0),
    display: optionalString(thinking['display'], 'thinking.display'),
  }
}
