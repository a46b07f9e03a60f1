import { z } from 'zod'
import type { Initiative } from '#initiatives/contract'
import type { UselessCalls } from '#kernel/tool-calls'
import type { EventData } from '../session-log.ts'
import type { SessionRow } from '../tables.ts'

export interface Link {
  title: string
  url: string
}

/** What a tool did. */
export interface ToolOutcome {
  /** For the model; data that others wrote is marked as such. */
  result: string
  /** For people. */
  summary: string
  links?: readonly Link[]
}

export interface ToolContext {
  session: SessionRow
  initiative: Initiative
  signal: AbortSignal
  /** A GET, or a search, as a key of the group that may only read. */
  read(path: string, body?: object): Promise<unknown>
  /** Adds to the session while this turn has it. */
  add(event: EventData): Promise<void>
  /** What the agent has seen in this session: only that can be cited. */
  known: ReadonlyMap<string, Link>
  useless: UselessCalls
}

export interface AgentTool {
  name: string
  description: string
  input: z.ZodObject
  run(input: never, context: ToolContext): Promise<ToolOutcome>
}

/** Keeps the type of the input between its schema and the function. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<AgentTool, 'input' | 'run'> & {
    input: Input
    run(input: z.infer<Input>, context: ToolContext): Promise<ToolOutcome>
  },
): AgentTool {
  return tool
}

/** The tool as Chat Completions name it. */
export function described({ name, description, input }: AgentTool): object {
  const { $schema: _schema, ...parameters } = z.toJSONSchema(input, { io: 'input' })
  return { type: 'function', function: { name, description, parameters } }
}

/** The model's mistake, told to the model. */
export class ToolRefusal extends Error {}
