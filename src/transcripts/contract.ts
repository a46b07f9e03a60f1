import { z } from 'zod'
import { nextCursor, pageOf } from '#kernel/paging'
import { assistantIds } from './assistants/assistant.ts'

/** Shapes of the routes of transcripts. Browser-safe. */

export { assistantIds, type AssistantId } from './assistants/assistant.ts'

export const maxMessagesPerPage = 1_000
export const maxSessionsPerPage = 500
export const maxHitsPerPage = 100

const count = z.int().meta({ minimum: 0, examples: [42] })
const time = z.string().meta({ format: 'date-time', examples: ['2026-11-16T12:00:00.000Z'] })
const text = (example: string) => z.string().meta({ examples: [example] })
const cost = z
  .string()
  .nullable()
  .meta({
    description: 'US dollars as an exact decimal; null when no request of it went through the gateway.',
    examples: ['0.4213'],
  })

export const assistant = z.enum(assistantIds)
export const messageRole = z.enum(['user', 'assistant', 'tool', 'system'])
export const messageKind = z.enum(['text', 'thinking', 'tool_call', 'tool_result', 'image', 'summary'])
export const messageOrigin = z.enum(['human', 'injected'])

const sessionFields = {
  id: z.uuid(),
  external_id: text('7d9f2c1e-5a44-4f0b-9a3e-0b6f1c2d3e4f').meta({
    description: 'The id that the assistant uses.',
  }),
  assistant,
  machine: text('laptop').meta({ description: 'The machine whose watcher sent it first.' }),
  project: text('/home/dev/shop').nullable().meta({ description: 'The folder in which it began.' }),
  git_branch: text('main').nullable(),
  model: text('claude-opus-5').nullable().meta({ description: 'The model that responded most.' }),
  models: z.array(text('claude-opus-5')),
  title: text('Fix the rounding of totals').nullable(),
  summary: text('Fixed rounding in cart totals. 3 files edited.').nullable(),
  message_count: count,
  tool_call_count: count,
  started_at: time.nullable(),
  ended_at: time.nullable().meta({ description: 'The time of the newest message.' }),
  duration_seconds: z
    .number()
    .meta({ description: 'Active time: pauses of more than five minutes are left out.', examples: [340] }),
  wall_seconds: z.number().meta({ description: 'From the start to the end.', examples: [1_240] }),
  input_tokens: count.meta({ description: 'Includes cached tokens and cache writes.' }),
  cached_tokens: count,
  cache_write_tokens: count,
  output_tokens: count.meta({ description: 'Includes reasoning.' }),
  files_edited: z.array(z.string()).meta({ examples: [['/home/dev/shop/cart.ts']] }),
  parent_id: z.uuid().nullable().meta({ description: 'Of a subagent: the session that started it.' }),
  parent_call_id: text('toolu_01')
    .nullable()
    .meta({ description: 'Of a subagent: the `call_id` that started it.' }),
  forked_from: z.uuid().nullable().meta({ description: 'The session whose beginning this one repeats.' }),
  cost,
  version: text('2.1.325').nullable().meta({ description: 'The version of the assistant.' }),
  source_missing: z.boolean().meta({ description: 'The file on the machine was deleted.' }),
  unknown_records: count.meta({ description: 'Records that Signalbox does not know; they are kept.' }),
  subagent_count: count,
}

export const transcriptSession = z.object(sessionFields).meta({ id: 'TranscriptSession' })

const relatedSession = z
  .object({
    id: z.uuid(),
    title: text('Look for rounding').nullable(),
    parent_call_id: text('toolu_01').nullable(),
    message_count: count,
    started_at: time.nullable(),
    ended_at: time.nullable(),
  })
  .meta({ id: 'RelatedTranscriptSession' })

export const modelCost = z
  .object({
    model: text('claude-opus-5'),
    requests: count,
    cost,
    unpriced: count.meta({ description: 'Requests whose price is not known.' }),
  })
  .meta({ id: 'TranscriptModelCost' })

export const transcriptDetail = z
  .object({
    ...sessionFields,
    subagents: z.array(relatedSession).meta({ description: 'The sessions that this one started.' }),
    forks: z.array(relatedSession).meta({ description: 'Sessions that repeat the beginning of this one.' }),
    links: z.array(
      z.object({ target: z.enum(['pull_request']), value: text('https://github.com/shop/shop/pull/7') }),
    ),
    costs: z.array(modelCost).meta({ description: 'From the usage log.' }),
    calls_without_message: count.nullable().meta({
      description:
        'Requests in the usage log that no message shows, such as titles and compactions; null when none is there.',
    }),
    resume_command: text('claude --resume 7d9f2c1e-5a44-4f0b-9a3e-0b6f1c2d3e4f').nullable(),
  })
  .meta({ id: 'TranscriptSessionDetail' })

/** A request of the usage log that no message shows. */
export const gatewayCall = z
  .object({
    request_id: text('req_0198c0de7a3b7c1d9e2f5a6b7c8d9e0f'),
    model: text('gpt-6-sol'),
    endpoint: text('/v1/messages'),
    started_at: time,
    status_code: z.int().meta({ examples: [200] }),
    error_message: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    input_tokens: count,
    output_tokens: count,
    cost,
    subagent: text('a1b2c3')
      .nullable()
      .meta({ description: 'The `external_id` of the subagent that sent it.' }),
  })
  .meta({ id: 'TranscriptCall' })

export const gatewayCalls = z.object({ data: z.array(gatewayCall), total: count })

export const transcriptMessage = z
  .object({
    id: z.uuid(),
    parent_id: z.uuid().nullable(),
    order: z.number().meta({ description: 'Ascends within the session.', examples: [12] }),
    role: messageRole,
    kind: messageKind,
    origin: messageOrigin.nullable().meta({
      description: '`human`: from a person. `injected`: from the assistant, a hook or a notification.',
    }),
    content: text('Totals are off by one cent.').nullable(),
    cut: z.boolean().meta({ description: 'The content is longer than what is stored.' }),
    tool_name: text('Edit').nullable(),
    tool_input: z.unknown().meta({ examples: [{ file_path: '/home/dev/shop/cart.ts' }] }),
    call_id: text('toolu_01').nullable().meta({ description: 'The same for a tool call and its result.' }),
    subagent_id: z
      .uuid()
      .nullable()
      .meta({ description: 'The session of the subagent that the call started.' }),
    is_error: z.boolean(),
    is_sidechain: z.boolean(),
    is_copied: z.boolean().meta({ description: 'Repeated from the session that this one was forked from.' }),
    model: text('claude-opus-5').nullable(),
    image: z
      .object({ url: z.string(), mime: z.string().nullable(), bytes: count })
      .nullable()
      .meta({ examples: [null] }),
    created_at: time.nullable(),
  })
  .meta({ id: 'TranscriptMessage' })

export const sessionList = pageOf(transcriptSession)

export const sessionPage = z.object({
  session: transcriptDetail,
  messages: z.array(transcriptMessage),
  next_cursor: nextCursor,
  prev_cursor: nextCursor.meta({ description: 'With `around`: returns what comes before as `cursor`.' }),
})

export const searchHit = z
  .object({
    session: transcriptSession,
    message_id: z.uuid().nullable().meta({ description: 'Null when the title or the summary matches.' }),
    role: messageRole.nullable(),
    kind: messageKind.nullable(),
    tool_name: z
      .string()
      .nullable()
      .meta({ examples: ['Bash'] }),
    created_at: time.nullable(),
    rank: z.number().meta({ description: 'How well it matches.', examples: [0.61] }),
    highlight: z.string().meta({
      description: 'An excerpt as HTML: escaped text, in which `<mark>` encloses the words that match.',
      examples: ['Totals are off by one <mark>cent</mark>.'],
    }),
  })
  .meta({ id: 'TranscriptHit' })

export const hitList = pageOf(searchHit)

export const projectList = z.object({
  data: z.array(z.object({ project: text('/home/dev/shop'), sessions: count, last_at: time.nullable() })),
})

export const unknownList = z.object({
  data: z.array(
    z.object({
      reason: text('record of type weather'),
      line: z
        .string()
        .meta({ description: 'The record as the assistant wrote it.', examples: ['{"type":"weather"}'] }),
      cut: z.boolean(),
    }),
  ),
  total: count,
})

export const skippedSource = z.object({
  assistant,
  path: text('projects/-home-dev-shop/7d9f2c1e.jsonl'),
  reason: text('too_long'),
  bytes: count,
  at: time,
})

export const watcher = z
  .object({
    machine: text('laptop'),
    version: text('1.0.0'),
    started_at: time,
    seen_at: time.meta({ description: 'When it last reported.' }),
    roots: z.array(
      z.object({ assistant, path: text('/home/dev/.claude'), files: count, behind_bytes: count }),
    ),
    skipped: z.array(skippedSource),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'What keeps it from working.', examples: [null] }),
  })
  .meta({ id: 'TranscriptWatcher' })

export const watcherList = z.object({ data: z.array(watcher) })

export type TranscriptSession = z.infer<typeof transcriptSession>
export type TranscriptDetail = z.infer<typeof transcriptDetail>
export type TranscriptMessage = z.infer<typeof transcriptMessage>
export type TranscriptHit = z.infer<typeof searchHit>
export type TranscriptWatcher = z.infer<typeof watcher>
export type ModelCost = z.infer<typeof modelCost>
