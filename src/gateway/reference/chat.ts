import { z } from 'zod'
import type { RouteDocs } from '#kernel/http'
import { errorBody, modelName, passedErrors, providerErrors, tokens, wholeOrStreamed } from './streams.ts'

const contentPart = z
  .looseObject({ type: z.string().meta({ description: '`text`, `image_url`, `input_audio` or `file`.' }) })
  .meta({ examples: [{ type: 'text', text: 'Hello' }] })

const toolCall = z
  .looseObject({
    id: z.string(),
    type: z.string(),
    function: z.looseObject({ name: z.string(), arguments: z.string() }).optional(),
  })
  .meta({ id: 'ChatToolCall' })

const message = z
  .looseObject({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
    content: z.union([z.string(), z.array(contentPart), z.null()]).optional(),
    name: z.string().optional(),
    tool_calls: z.array(toolCall).optional(),
    tool_call_id: z
      .string()
      .optional()
      .meta({ description: 'In a `tool` message: the call it responds to.' }),
  })
  .meta({ id: 'ChatMessage' })

const tool = z
  .looseObject({
    type: z.string(),
    function: z
      .looseObject({
        name: z.string(),
        description: z.string().optional(),
        parameters: z.looseObject({}).optional().meta({ description: 'A JSON Schema.' }),
        strict: z.boolean().nullish(),
      })
      .optional(),
  })
  .meta({ id: 'ChatTool' })

const request = z
  .looseObject({
    model: modelName,
    messages: z.array(message).min(1),
    stream: z.boolean().nullish().meta({ description: 'Send the response as server-sent events.' }),
    stream_options: z
      .looseObject({ include_usage: z.boolean().optional() })
      .nullish()
      .meta({ description: 'With `include_usage` the last event has the tokens of the request.' }),
    max_completion_tokens: z.int().min(1).nullish(),
    max_tokens: z.int().min(1).nullish().meta({ description: 'The older name of `max_completion_tokens`.' }),
    temperature: z.number().nullish(),
    top_p: z.number().nullish(),
    n: z.int().min(1).nullish(),
    stop: z.union([z.string(), z.array(z.string()), z.null()]).optional(),
    tools: z.array(tool).nullish(),
    tool_choice: z.union([z.string(), z.looseObject({ type: z.string() }), z.null()]).optional(),
    parallel_tool_calls: z.boolean().nullish(),
    response_format: z.looseObject({ type: z.enum(['text', 'json_object', 'json_schema']) }).nullish(),
    reasoning_effort: z.string().nullish().meta({
      description: 'How much a reasoning model thinks: `none`, `minimal`, `low`, `medium`, `high`.',
    }),
    seed: z.int().nullish(),
    user: z.string().nullish().meta({ description: 'Whose request it is; recorded in the usage log.' }),
    metadata: z
      .looseObject({})
      .nullish()
      .meta({ description: 'Recorded in the usage log, to filter and group by.' }),
  })
  .meta({ id: 'ChatCompletionRequest' })

const usage = z
  .looseObject({ prompt_tokens: tokens, completion_tokens: tokens, total_tokens: tokens })
  .meta({ id: 'ChatUsage' })

const created = z.int().meta({ description: 'Unix time in seconds.', examples: [1794821400] })
const completionId = z.string().meta({ examples: ['chatcmpl-B7x2'] })

const completion = z
  .looseObject({
    id: completionId,
    object: z.literal('chat.completion'),
    created,
    model: z.string().meta({ examples: ['gpt-6-sol'] }),
    choices: z.array(
      z.looseObject({
        index: z.int().meta({ examples: [0] }),
        message: z
          .looseObject({
            role: z.literal('assistant'),
            content: z.string().nullish(),
            tool_calls: z.array(toolCall).optional(),
          })
          .meta({ examples: [{ role: 'assistant', content: 'Hello! How can I help?' }] }),
        finish_reason: z
          .string()
          .nullable()
          .meta({
            description: '`stop`, `length`, `tool_calls` or `content_filter`.',
            examples: ['stop'],
          }),
      }),
    ),
    usage: usage.optional(),
  })
  .meta({ id: 'ChatCompletion' })

const chunk = z
  .looseObject({
    id: completionId,
    object: z.literal('chat.completion.chunk'),
    created,
    model: z.string().meta({ examples: ['gpt-6-sol'] }),
    choices: z.array(
      z.looseObject({
        index: z.int().meta({ examples: [0] }),
        delta: z
          .looseObject({ role: z.string().optional(), content: z.string().nullish() })
          .meta({ examples: [{ content: 'Hello' }] }),
        finish_reason: z
          .string()
          .nullish()
          .meta({ examples: [null] }),
      }),
    ),
    usage: usage.nullish().meta({ examples: [null] }),
  })
  .meta({ id: 'ChatCompletionChunk', description: 'The data of an event. The last event is `[DONE]`.' })

const messages = [{ role: 'user', content: 'Say hello.' }]

export const chatDocs: RouteDocs = {
  body: {
    'application/json': {
      schema: request,
      examples: {
        simple: { summary: 'A question', value: { model: 'gpt-6-sol', messages } },
        streamed: {
          summary: 'Streaming',
          value: {
            model: 'claude-sonnet-5-5',
            messages,
            stream: true,
            stream_options: { include_usage: true },
          },
        },
        tools: {
          summary: 'Tools',
          value: {
            model: 'gpt-6-sol',
            messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
            tools: [
              {
                type: 'function',
                function: {
                  name: 'get_weather',
                  description: 'The weather of a city.',
                  parameters: {
                    type: 'object',
                    properties: { city: { type: 'string' } },
                    required: ['city'],
                  },
                },
              },
            ],
          },
        },
      },
    },
  },
  response: { ...wholeOrStreamed(completion, { schema: chunk }), ...passedErrors(errorBody) },
  errors: providerErrors,
}
