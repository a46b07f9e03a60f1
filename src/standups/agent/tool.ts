import { z } from 'zod'
import type { Initiative } from '#initiatives/contract'
import type { LoopTool, Outcome } from '#kernel/agent-loop'
import { Fault, messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { Link } from '#tools'
import type { ResearchNow } from '../research/research.ts'
import { WorkLost, type EventData, type Writing } from '../session-log.ts'
import type { SessionRow } from '../tables.ts'

export interface ToolContext {
  session: SessionRow
  initiative: Initiative
  signal: AbortSignal
  log: Log
  /** A GET, or a search, as a key of the group that may only read. */
  read(path: string, body?: object): Promise<unknown>
  research: ResearchNow
  /** Writes to the session while this turn has it. */
  within<T>(work: (writing: Writing) => Promise<T>): Promise<T>
  add(event: EventData): Promise<void>
  /** What the agent has seen in this session: only that can be cited. */
  known: ReadonlyMap<string, Link>
}

/** What a tool did; a Fault is the model's mistake and told to it. */
export type ToolWork<Input extends z.ZodObject> = (
  input: z.infer<Input>,
  context: ToolContext,
) => Promise<Omit<Outcome, 'status'>>

/** A tool of a stand-up, for the session of a turn. */
export type StandupTool = (context: ToolContext) => LoopTool

export function defineTool<Input extends z.ZodObject>(tool: {
  name: string
  description: string
  input: Input
  run: ToolWork<Input>
}): StandupTool {
  const { name, description, input } = tool
  const { $schema: _schema, ...parameters } = z.toJSONSchema(input, { io: 'input' })
  return (context) => ({
    ...{ name, description, parameters },
    async call(given) {
      const { success, data, error } = input.safeParse(given)
      if (!success) return failed(`The arguments are not valid. ${z.prettifyError(error).slice(0, 1_000)}`)
      try {
        return { status: 'done', ...(await tool.run(data, context)) }
      } catch (thrown) {
        if (thrown instanceof WorkLost || context.signal.aborted) throw thrown
        if (thrown instanceof Fault) return failed(thrown.message)
        context.log.warn({ tool: name, reason: messageOf(thrown) }, 'a tool of a stand-up failed')
        return failed('The tool failed.')
      }
    },
  })
}

const failed = (shown: string): Outcome => ({ status: 'failed', shown })
