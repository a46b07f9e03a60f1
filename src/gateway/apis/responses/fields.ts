import { Fault, faults, invalid } from '#kernel/errors'
import { isAbsent } from '../../wire/json.ts'
import type { JsonObject } from '../../wire/json.ts'

/** Read and translated, or telling the gateway and not the provider. */
const handled = new Set(
  `model input instructions tools tool_choice parallel_tool_calls text reasoning max_output_tokens temperature top_p
  top_logprobs include service_tier user safety_identifier metadata stream prompt_cache_key
  prompt_cache_retention`.split(/\s+/),
)

const stateful = ['previous_response_id', 'conversation', 'background', 'prompt']

/** Fields of chat completions: a client that sends them here expects what it would not get. */
const moved: Readonly<Record<string, string>> = {
  messages: 'Send input.',
  response_format: 'Send text.format.',
  max_tokens: 'Send max_output_tokens.',
  max_completion_tokens: 'Send max_output_tokens.',
  reasoning_effort: 'Send reasoning.effort.',
  verbosity: 'Send text.verbosity.',
  functions: 'Send tools.',
  function_call: 'Send tool_choice.',
  stop: 'Use chat completions for it.',
  n: 'Use chat completions for it.',
  logit_bias: 'Use chat completions for it.',
  presence_penalty: 'Use chat completions for it.',
  frequency_penalty: 'Use chat completions for it.',
}

/** Refuses what cannot be had for a model whose provider does not speak this form. */
export function refuseForeign(request: JsonObject): void {
  for (const field of stateful) {
    if (isAbsent(request[field]) || request[field] === false) continue
    throw invalid(
      `${field} needs a provider that keeps state. The provider of this model keeps none: send the whole conversation as input.`,
      field,
    )
  }
  for (const [field, mend] of Object.entries(moved)) {
    if (!isAbsent(request[field])) throw invalid(`${field} is no field of a response. ${mend}`, field)
  }
}

/** Values that ask for what happens anyway. */
const neutral: Readonly<Record<string, unknown>> = { store: false, truncation: 'disabled', background: false }

/** Notes every field that was neither read nor refused. Names go into a header, so odd ones stay out. */
export function noteRest(request: JsonObject, dropped: Set<string>): void {
  for (const [field, value] of Object.entries(request)) {
    if (handled.has(field) || isAbsent(value)) continue
    if (Object.hasOwn(neutral, field) && neutral[field] === value) continue
    if (/^\w{1,64}$/.test(field)) dropped.add(field)
  }
}

/** What a provider calls its fields, and what the client called them. */
const names: readonly (readonly [RegExp, string])[] = [
  [/\bresponse_format\.json_schema\b/, 'text.format'],
  [/\bresponse_format\b/, 'text.format'],
  [/\b(?:max_tokens|max_completion_tokens)\b/, 'max_output_tokens'],
  [/\breasoning_effort\b/, 'reasoning.effort'],
  [/^verbosity\b/, 'text.verbosity'],
  [/^logprobs\b/, 'top_logprobs'],
  [/\btool_choice\.function\b/, 'tool_choice'],
]

/** Where the messages and tools of a chat request come from. */
export interface Origins {
  readonly messages: readonly string[]
  readonly tools: readonly string[]
}

/** Does something with a provider; where it refuses a field, the client hears of the one it sent. */
export function inClientNames<Result>(origins: Origins, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Fault) || error.status !== faults.invalidRequest.status) throw error
    throw invalid(rename(error.message, origins), error.param === null ? null : rename(error.param, origins))
  }
}

/** The path inside a message says nothing to the client: its item had another form. */
function rename(text: string, { messages, tools }: Origins): string {
  const placed = text
    .replaceAll(/\bmessages\.(\d+)(?:\.\w+)*/g, (path, index: string) => messages[Number(index)] ?? path)
    .replaceAll(/\btools\.(\d+)(?:\.function)?/g, (path, index: string) => tools[Number(index)] ?? path)
  return names.reduce((told, [pattern, name]) => told.replace(pattern, name), placed)
}

export function renameDropped(field: string): string {
  return rename(field, { messages: [], tools: [] })
}
