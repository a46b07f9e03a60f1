import { invalidField } from '#kernel/errors'
import { isAbsent, type JsonObject } from '../../wire/json.ts'

/** Fields that are translated, or are meant for the gateway only. */
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

/** Refuses what is not available for a provider that does not support the Responses API. */
export function refuseForeign(request: JsonObject): void {
  for (const field of stateful) {
    if (isAbsent(request[field]) || request[field] === false) continue
    throw invalidField(
      field,
      'needs a provider that stores conversations, which the provider of this model does not: send the whole conversation as input',
    )
  }
  for (const [field, instead] of Object.entries(moved)) {
    if (!isAbsent(request[field]))
      throw invalidField(field, `is not a field of the Responses API. ${instead}`)
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

/** Fields of chat completions that have another name here. */
export const fieldNames = new Map([
  ['messages', 'input'],
  ['response_format', 'text.format'],
  ['response_format.json_schema', 'text.format'],
  ['max_tokens', 'max_output_tokens'],
  ['max_completion_tokens', 'max_output_tokens'],
  ['reasoning_effort', 'reasoning.effort'],
  ['verbosity', 'text.verbosity'],
  ['logprobs', 'top_logprobs'],
  ['tool_choice.function', 'tool_choice'],
])
