import { z } from 'zod'
import { jsonObject as json } from '#kernel/json-object'

/**
 * What the server and the process of a run say to each other: lines of JSON on its standard input and output. The
 * process reads what anybody may have written, so nothing that it sends is trusted before it is parsed.
 */

export const maxLine = 16 * 1024 * 1024
export const maxArguments = 16_384

const text = z.string()
const id = z.string().min(1).max(200)

/** A call of a tool that has not run, because a person is asked first. */
export const pendingCall = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('approval'), id, name: id, arguments: json, approval_id: z.uuid() }),
  z.object({ kind: z.literal('tool'), id, name: id, arguments: json }),
  z.object({ kind: z.literal('question'), id, name: id, arguments: json, question: z.string().max(20_000) }),
])

/** The conversation while it waits. Its messages mean something to the process of a run only. */
export const memory = z.object({
  messages: z.array(z.unknown()).max(10_000),
  pending: z.array(pendingCall).max(100),
})

/** What became of the first call that waits. */
export const decision = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('approved'), approval_id: z.uuid() }),
  z.object({ outcome: z.literal('allowed') }),
  z.object({ outcome: z.literal('denied'), reason: text }),
  z.object({ outcome: z.literal('answered'), text }),
])

export const fromChild = z.discriminatedUnion('type', [
  /** Asks for one more call of the model. */
  z.object({ type: z.literal('next') }),
  z.object({ type: z.literal('text'), content: text }),
  z.object({ type: z.literal('thought'), content: text }),
  z.object({
    type: z.literal('tool_call'),
    id,
    name: id,
    server: z.string().max(64).nullable(),
    arguments: json,
  }),
  z.object({
    type: z.literal('tool_result'),
    id,
    status: z.enum(['done', 'failed', 'denied', 'skipped']),
    result: text,
    duration_ms: z.number().min(0),
  }),
  z.object({ type: z.literal('waiting'), memory }),
  z.object({ type: z.literal('completed'), response: text }),
  z.object({
    type: z.literal('failed'),
    code: z
      .string()
      .regex(/^[a-z0-9_]{1,64}$/)
      .catch('provider_error'),
    message: text,
  }),
])

export interface ServerToStart {
  name: string
  command: string
  args: string[]
  env: Record<string, string>
  /** Our own: it speaks to the SQL proxy, whose policy decides what it may do. */
  isPlatform: boolean
}

export interface Start {
  type: 'start'
  runId: string
  gateway: string
  key: string
  model: string
  systemPrompt: string
  mode: 'default' | 'plan' | 'acceptEdits' | 'dontAsk' | 'bypassPermissions'
  environment: 'dev' | 'staging' | 'prod' | null
  servers: ServerToStart[]
  request: string
  memory: Memory | null
  decision: Decision | null
}

export type ToChild = Start | { type: 'go' }
export type FromChild = z.infer<typeof fromChild>
export type PendingCall = z.infer<typeof pendingCall>
export type Memory = z.infer<typeof memory>
export type Decision = z.infer<typeof decision>
