import { z } from 'zod'
import { jsonObject as json } from '#kernel/json-object'
import { askedBy } from '#sql/contract'

/** Shapes of runs and their events. Browser-safe. */

export const runStatuses = ['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled'] as const
export const toolCallStatuses = ['running', 'done', 'failed', 'denied', 'waiting', 'skipped'] as const

/** The result of a tool as a run shows it; the model sees more. */
export const maxShownResult = 4_096

const time = z.string().meta({ format: 'date-time', examples: ['2026-11-16T09:30:00.000Z'] })
const count = z.int().meta({ minimum: 0, examples: [3] })

export const waitId = z.uuid().meta({
  description: 'Names this wait: a model may use the ID of a call twice.',
  examples: ['0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0b'],
})
/** Those of runs that waited before there were IDs have none. */
const ofWait = { tool_call_id: z.string(), wait_id: waitId.optional() }

export const waitingFor = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('approval'),
      ...ofWait,
      approval_id: z.uuid(),
      link: z.string().meta({ description: 'Where a person decides.' }),
      sql: z.string(),
      database: z.string(),
      expires_at: time,
    })
    .meta({ description: 'The SQL proxy asks a person.' }),
  z
    .object({ kind: z.literal('tool'), ...ofWait, tool: z.string(), arguments: json })
    .meta({ description: 'The permission mode asks a person before this tool is called.' }),
  z
    .object({ kind: z.literal('question'), ...ofWait, question: z.string() })
    .meta({ description: 'The agent asks a person.' }),
])

export const toolCall = z
  .object({
    id: z.string().meta({ examples: ['call_1'] }),
    name: z.string().meta({ examples: ['platform_sql_execute'] }),
    server: z
      .string()
      .nullable()
      .meta({ description: 'The tool server; null for a tool of the runner.', examples: ['platform'] }),
    arguments: json.meta({ examples: [{ database: 'application', sql: 'SELECT 1 AS one' }] }),
    status: z.enum(toolCallStatuses).meta({
      description:
        '`skipped`: it did not run, because a call before it in the same response waits for a person.',
    }),
    result: z
      .string()
      .nullable()
      .meta({
        description: `Cut at ${maxShownResult} bytes. Text from tools is data, not to be trusted.`,
        examples: ['{"status":"executed","rows":[{"one":1}]}'],
      }),
    started_at: time,
    duration_ms: z
      .number()
      .nullable()
      .meta({ examples: [12] }),
  })
  .meta({ id: 'AgentToolCall' })

const usage = z.object({ input_tokens: count, output_tokens: count, total_tokens: count })

const cost = z
  .string()
  .nullable()
  .meta({
    description: 'US dollars, exactly; null while a request of the run has no price or is not settled.',
    examples: ['0.0123'],
  })

export const runLimits = z.object({
  max_steps: z
    .int()
    .min(1)
    .max(1_000)
    .meta({ description: 'Calls of the model.', examples: [50] }),
  max_seconds: z
    .int()
    .min(1)
    .max(86_400)
    .meta({ description: 'Time in which it runs; waiting for a person does not count.', examples: [600] }),
  max_tokens: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .meta({ examples: [500_000] }),
  max_cost: z
    .number()
    .positive()
    .max(1_000_000)
    .meta({ description: 'US dollars.', examples: [2] }),
})

export const workflow = z
  .object({
    kind: z.enum(['migration', 'validation']),
    status: z.enum(['complete', 'incomplete']),
    steps: z.array(
      z.object({
        id: z.string().meta({ examples: ['counts_before'] }),
        title: z.string().meta({ examples: ['Row counts before'] }),
        done: z.boolean(),
        evidence: z.array(z.string()).meta({ description: 'Entries of the audit log.' }),
      }),
    ),
  })
  .meta({ id: 'AgentWorkflow' })

export const turn = z
  .object({
    request: z.string().meta({ examples: ['And how many of them are paid?'] }),
    started_by: z.string().meta({ description: 'The person or the API key.', examples: ['Ada'] }),
    created_at: time,
  })
  .meta({ id: 'AgentTurn' })

export const runTicket = z.object({
  id: z.uuid(),
  title: z.string().meta({ description: 'As it was then.', examples: ['Receipts are sent twice'] }),
})

const runError = z.object({
  code: z.string().meta({ examples: ['max_steps'] }),
  message: z.string().meta({ examples: ['The run made 50 calls of the model, which is its limit.'] }),
})

export const run = z
  .object({
    run_id: z.uuid(),
    agent_id: z.string().meta({ examples: ['data-engineer'] }),
    agent_version: z.int().meta({ examples: [1] }),
    group_id: z.uuid(),
    request: z.string().meta({ examples: ['Add an index for slow order look-ups'] }),
    turns: z.array(turn).meta({
      description: 'What was written after the run had ended, each of which continued it.',
      examples: [[]],
    }),
    ticket: runTicket.nullable().meta({ description: 'The ticket it works on.', examples: [null] }),
    schedule_id: z
      .uuid()
      .nullable()
      .meta({ description: 'The schedule that asked.', examples: [null] }),
    status: z.enum(runStatuses),
    waiting_for: waitingFor.nullable().meta({ examples: [null] }),
    response: z
      .string()
      .nullable()
      .meta({ description: 'What the agent said last.', examples: ['The index was created.'] }),
    error: runError.nullable().meta({ examples: [null] }),
    workflow: workflow.nullable().meta({ examples: [null] }),
    tool_calls: z.array(toolCall),
    usage,
    cost,
    steps: count,
    limits: z
      .object({ max_steps: z.int(), max_seconds: z.int(), max_tokens: z.int(), max_cost: z.number() })
      .meta({ description: 'Counted from the start of the run; each turn adds its own.' }),
    started_by: z.string().meta({ description: 'The person or the API key.', examples: ['Ada'] }),
    asked_by: askedBy,
    parent_run_id: z.uuid().nullable().meta({ description: 'The run that asked for this one.' }),
    created_at: time,
    updated_at: time,
    finished_at: time.nullable(),
  })
  .meta({
    id: 'AgentRun',
    examples: [
      {
        run_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
        agent_id: 'data-engineer',
        agent_version: 1,
        group_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0a',
        request: 'How many orders are there?',
        turns: [],
        ticket: null,
        schedule_id: null,
        status: 'completed',
        waiting_for: null,
        response: 'There are 12 orders.',
        error: null,
        workflow: null,
        tool_calls: [
          {
            id: 'call_1',
            name: 'platform_sql_execute',
            server: 'platform',
            arguments: { database: 'application', sql: 'SELECT count(*) FROM orders', reason: 'Count' },
            status: 'done',
            result: '{"status":"executed","rows":[{"count":"12"}]}',
            started_at: '2026-11-16T09:30:01.000Z',
            duration_ms: 12,
          },
        ],
        usage: { input_tokens: 1_200, output_tokens: 80, total_tokens: 1_280 },
        cost: '0.0044',
        steps: 2,
        limits: { max_steps: 50, max_seconds: 600, max_tokens: 500_000, max_cost: 2 },
        started_by: 'Ada',
        asked_by: {
          user: { id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0c', name: 'Ada', email: 'ada@example.com' },
          agent_id: 'data-engineer',
          agent_version: 1,
          run_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
          request: 'How many orders are there?',
        },
        parent_run_id: null,
        created_at: '2026-11-16T09:30:00.000Z',
        updated_at: '2026-11-16T09:30:02.000Z',
        finished_at: '2026-11-16T09:30:02.000Z',
      },
    ],
  })

const eventFields = { run_id: z.uuid(), seq: count, at: time }

/** The `event:` of an SSE frame is the type, `id:` the seq, `data:` the whole event. */
export const runEvent = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('status'),
      ...eventFields,
      status: z.enum(runStatuses),
      waiting_for: waitingFor.nullable(),
    }),
    z
      .object({ type: z.literal('request'), ...eventFields, ...turn.omit({ created_at: true }).shape })
      .meta({ description: 'Somebody continued the run.' }),
    z.object({ type: z.literal('text'), ...eventFields, content: z.string() }),
    z.object({ type: z.literal('thought'), ...eventFields, content: z.string() }),
    z.object({
      type: z.literal('tool_call'),
      ...eventFields,
      ...toolCall.pick({ id: true, name: true, server: true, arguments: true }).shape,
    }),
    z.object({
      type: z.literal('tool_result'),
      ...eventFields,
      ...toolCall.pick({ id: true, status: true, result: true, duration_ms: true }).shape,
    }),
    z.object({ type: z.literal('approval'), ...eventFields, waiting_for: waitingFor }),
    z.object({ type: z.literal('usage'), ...eventFields, usage, cost, steps: count }),
    z.object({ type: z.literal('workflow'), ...eventFields, workflow }),
    z.object({ type: z.literal('devlog'), ...eventFields, devlog_id: z.string() }),
    z.object({ type: z.literal('error'), ...eventFields, ...runError.shape }),
  ])
  .meta({ id: 'AgentRunEvent' })

export type RunStatus = (typeof runStatuses)[number]
export type ToolCallStatus = (typeof toolCallStatuses)[number]
export type WaitingFor = z.infer<typeof waitingFor>
export type ToolCall = z.infer<typeof toolCall>
export type RunLimits = z.infer<typeof runLimits>
export type Workflow = z.infer<typeof workflow>
export type Run = z.infer<typeof run>
export type RunEvent = z.infer<typeof runEvent>
export type Turn = z.infer<typeof turn>
export type RunTicket = z.infer<typeof runTicket>
