import { z } from 'zod'
import type { MediaDocs, RouteDocs } from '#kernel/http'
import { passedErrors, providerErrors, tokens, wholeOrStreamed } from './streams.ts'

const block = z
  .looseObject({
    type: z.string().meta({
      description: '`text`, `image`, `document`, `thinking`, `tool_use`, `tool_result` and others.',
    }),
  })
  .meta({ id: 'MessageBlock', examples: [{ type: 'text', text: 'Hello! How can I help?' }] })

const fields = {
  model: z
    .string()
    .min(1)
    .meta({ description: 'The model. Its prefix selects the provider.', examples: ['claude-sonnet-5-5'] }),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['user', 'assistant', 'system']),
        content: z.union([z.string(), z.array(block)]),
      }),
    )
    .min(1),
  system: z
    .union([z.string(), z.array(block)])
    .optional()
    .meta({ description: 'The system prompt.' }),
  tools: z.array(z.looseObject({ name: z.string().optional() })).optional(),
  tool_choice: z.looseObject({ type: z.string() }).optional(),
  thinking: z.looseObject({ type: z.string() }).optional(),
}

const request = z
  .looseObject({
    ...fields,
    max_tokens: z.int().min(1),
    stream: z.boolean().optional().meta({ description: 'Send the response as server-sent events.' }),
    temperature: z.number().optional(),
    top_p: z.number().optional(),
    top_k: z.int().optional(),
    stop_sequences: z.array(z.string()).optional(),
    metadata: z
      .looseObject({ user_id: z.string().nullish() })
      .optional()
      .meta({ description: '`user_id` says whose request it is; recorded in the usage log.' }),
  })
  .meta({ id: 'MessageRequest' })

const usage = z.looseObject({ input_tokens: tokens, output_tokens: tokens })

const message = z
  .looseObject({
    id: z.string().meta({ examples: ['msg_B7x2'] }),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string().meta({ examples: ['claude-sonnet-5-5'] }),
    content: z.array(block),
    stop_reason: z
      .string()
      .nullable()
      .meta({
        description: '`end_turn`, `max_tokens`, `stop_sequence`, `tool_use`, `refusal` or `pause_turn`.',
        examples: ['end_turn'],
      }),
    stop_sequence: z
      .string()
      .nullish()
      .meta({ examples: [null] }),
    usage,
  })
  .meta({ id: 'Message' })

const error = z
  .looseObject({
    type: z.literal('error'),
    error: z.looseObject({
      type: z.string().meta({ examples: ['invalid_request_error'] }),
      message: z.string().meta({ examples: ['"max_tokens" is required.'] }),
    }),
    request_id: z.string().meta({ examples: ['req_0198c0de7a3b7c1d9e2f5a6b7c8d9e0f'] }),
  })
  .meta({ id: 'MessageError', description: 'An error as Anthropic returns it.' })

const index = z.int()
const event = z
  .union([
    z.looseObject({ type: z.literal('message_start'), message }),
    z.looseObject({ type: z.literal('content_block_start'), index, content_block: block }),
    z.looseObject({
      type: z.literal('content_block_delta'),
      index,
      delta: z.looseObject({
        type: z.string().meta({
          description:
            '`text_delta`, `input_json_delta`, `thinking_delta`, `signature_delta`, `citations_delta`.',
        }),
      }),
    }),
    z.looseObject({ type: z.literal('content_block_stop'), index }),
    z.looseObject({
      type: z.literal('message_delta'),
      delta: z.looseObject({ stop_reason: z.string().nullable() }),
      usage: z.looseObject({ output_tokens: tokens }),
    }),
    z.looseObject({ type: z.literal('message_stop') }),
    z.looseObject({ type: z.literal('ping') }),
    error.clone().meta({ id: undefined, description: 'The stream ends after an error.' }),
  ])
  .meta({ id: 'MessageEvent', description: 'The data of an event.' })

const headers = z.object({
  'anthropic-version': z
    .string()
    .optional()
    .meta({ description: 'The version of the format. Sent to a provider that has it.' }),
  'anthropic-beta': z
    .string()
    .optional()
    .meta({ description: 'Features to turn on. Sent to a provider that has them.' }),
})

const asked = [{ role: 'user', content: 'Say hello.' }]
const errorBody: MediaDocs = { schema: error }
const shared = { headers, errors: providerErrors, errorBody } satisfies RouteDocs

export const messagesDocs: RouteDocs = {
  ...shared,
  body: {
    'application/json': {
      schema: request,
      examples: {
        simple: {
          summary: 'A question',
          value: { model: 'claude-sonnet-5-5', max_tokens: 1024, messages: asked },
        },
        streamed: {
          summary: 'Streaming, by another provider',
          value: { model: 'gpt-6-sol', max_tokens: 1024, messages: asked, stream: true },
        },
      },
    },
  },
  response: {
    ...wholeOrStreamed(message, {
      schema: event,
      example: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
    }),
    ...passedErrors(errorBody),
  },
}

export const countTokensDocs: RouteDocs = {
  ...shared,
  body: {
    'application/json': {
      schema: z.looseObject(fields).meta({ id: 'CountTokensRequest' }),
      example: { model: 'claude-sonnet-5-5', messages: asked },
    },
  },
  response: {
    200: z.looseObject({ input_tokens: tokens }).meta({ id: 'CountTokensResponse' }),
    ...passedErrors(errorBody),
  },
}
