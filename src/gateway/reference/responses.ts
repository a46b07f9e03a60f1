import { z } from 'zod'
import type { MediaDocs, RouteDocs } from '#kernel/http'
import { errorBody, modelName, passedErrors, providerErrors, tokens, wholeOrStreamed } from './streams.ts'

export const responseItem = z
  .looseObject({
    type: z
      .string()
      .optional()
      .meta({ description: '`message`, `function_call`, `function_call_output`, `reasoning` and others.' }),
  })
  .meta({ id: 'ResponseItem', examples: [{ role: 'user', content: 'Say hello.' }] })

const request = z
  .looseObject({
    model: modelName,
    input: z
      .union([z.string(), z.array(responseItem)])
      .optional()
      .meta({ description: 'A text, or the items of the conversation.' }),
    instructions: z.string().nullish().meta({ description: 'The system prompt.' }),
    stream: z.boolean().nullish().meta({ description: 'Send the response as server-sent events.' }),
    max_output_tokens: z.int().min(1).nullish(),
    temperature: z.number().nullish(),
    top_p: z.number().nullish(),
    tools: z.array(z.looseObject({ type: z.string() })).nullish(),
    tool_choice: z.union([z.string(), z.looseObject({ type: z.string() }), z.null()]).optional(),
    parallel_tool_calls: z.boolean().nullish(),
    reasoning: z.looseObject({ effort: z.string().nullish(), summary: z.string().nullish() }).nullish(),
    text: z.looseObject({ format: z.looseObject({ type: z.string() }).optional() }).nullish(),
    include: z.array(z.string()).nullish(),
    store: z.boolean().nullish().meta({ description: 'Whether the provider keeps the response.' }),
    user: z.string().nullish().meta({ description: 'Whose request it is; recorded in the usage log.' }),
    metadata: z.looseObject({}).nullish().meta({ description: 'Recorded in the usage log.' }),
  })
  .meta({ id: 'ResponseRequest' })

const output = z.array(responseItem).meta({
  examples: [
    [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Hello! How can I help?', annotations: [] }],
      },
    ],
  ],
})

export const response = z
  .looseObject({
    id: z.string().meta({ examples: ['resp_B7x2'] }),
    object: z.literal('response'),
    created_at: z.number().meta({ description: 'Unix time in seconds.', examples: [1794821400] }),
    status: z.enum(['completed', 'failed', 'in_progress', 'cancelled', 'queued', 'incomplete']),
    model: z.string().meta({ examples: ['gpt-6-sol'] }),
    output,
    usage: z.looseObject({ input_tokens: tokens, output_tokens: tokens, total_tokens: tokens }).nullish(),
  })
  .meta({ id: 'Response' })

const sequence = z.int().meta({ description: 'The number of the event.', examples: [3] })

const event = z
  .union([
    z.looseObject({
      type: z.enum([
        'response.created',
        'response.in_progress',
        'response.completed',
        'response.incomplete',
        'response.failed',
      ]),
      sequence_number: sequence,
      response,
    }),
    z.looseObject({
      type: z.enum(['response.output_item.added', 'response.output_item.done']),
      sequence_number: sequence,
      output_index: z.int(),
      item: responseItem,
    }),
    z.looseObject({
      type: z.enum([
        'response.output_text.delta',
        'response.refusal.delta',
        'response.function_call_arguments.delta',
        'response.reasoning_summary_text.delta',
        'response.reasoning_text.delta',
      ]),
      sequence_number: sequence,
      item_id: z.string(),
      output_index: z.int(),
      delta: z.string(),
    }),
    z
      .looseObject({
        type: z.literal('error'),
        sequence_number: sequence,
        code: z.string().nullable(),
        message: z.string(),
        param: z.string().nullable(),
      })
      .meta({ description: 'The stream ends after an error.' }),
    z
      .looseObject({ type: z.string(), sequence_number: sequence })
      .meta({ description: 'Events that frame the others, and those of tools that a provider runs.' }),
  ])
  .meta({ id: 'ResponseEvent', description: 'The data of an event.' })

export const responseEvent: MediaDocs = {
  schema: event,
  example: {
    type: 'response.output_text.delta',
    sequence_number: 3,
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    delta: 'Hello',
  },
}

export const responsesDocs: RouteDocs = {
  body: {
    'application/json': {
      schema: request,
      examples: {
        simple: { summary: 'A question', value: { model: 'gpt-6-sol', input: 'Say hello.' } },
        streamed: {
          summary: 'Streaming, with instructions',
          value: {
            model: 'claude-sonnet-5-5',
            instructions: 'Be brief.',
            input: [{ role: 'user', content: 'Say hello.' }],
            stream: true,
          },
        },
      },
    },
  },
  response: {
    ...wholeOrStreamed(response, responseEvent),
    ...passedErrors(errorBody),
  },
  errors: providerErrors,
}

const compaction = z
  .looseObject({
    id: z.string().meta({ examples: ['resp_C9a4'] }),
    object: z.literal('response.compaction'),
    created_at: z.number().meta({ description: 'Unix time in seconds.', examples: [1794821400] }),
    output: z.array(responseItem).meta({
      examples: [
        [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'signalbox.v1.eyJzdW1tYXJ5Ijoi4oCmIn0' }],
      ],
    }),
    usage: z.looseObject({ input_tokens: tokens, output_tokens: tokens, total_tokens: tokens }),
  })
  .meta({ id: 'ResponseCompaction' })

export const compactDocs: RouteDocs = {
  body: {
    'application/json': {
      schema: z
        .looseObject({
          model: modelName,
          input: z.union([z.string(), z.array(responseItem), z.null()]).optional(),
          instructions: z.string().nullish(),
        })
        .meta({ id: 'CompactRequest' }),
      example: {
        model: 'claude-sonnet-5-5',
        input: [
          { role: 'user', content: 'We launch on Tuesday.' },
          { role: 'assistant', content: 'Noted: Tuesday.' },
        ],
      },
    },
  },
  response: { 200: compaction, ...passedErrors(errorBody) },
  errors: providerErrors,
}

export const inputTokensDocs: RouteDocs = {
  body: {
    'application/json': {
      schema: z
        .looseObject({
          model: modelName,
          input: z.union([z.string(), z.array(responseItem), z.null()]).optional(),
          instructions: z.string().nullish(),
        })
        .meta({ id: 'InputTokensRequest' }),
      example: { model: 'claude-sonnet-5-5', input: 'We launch on Tuesday.' },
    },
  },
  response: {
    200: z
      .object({ object: z.literal('response.input_tokens'), input_tokens: z.int().meta({ examples: [8] }) })
      .meta({ id: 'InputTokens' }),
    ...passedErrors(errorBody),
  },
  errors: providerErrors,
}
