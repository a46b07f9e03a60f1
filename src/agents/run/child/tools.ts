import type { LoopTool, Outcome, Waits } from '#kernel/agent-loop'
import { messageOf } from '#kernel/errors'
import type { Decision, PendingCall, Start } from '../protocol.ts'
import { isVisible } from '../visible.ts'
import { permissionFor } from './permission.ts'
import type { ServerTool } from './servers.ts'

type Made = Outcome | Waits<PendingCall>
type Input = Record<string, unknown>

const failed = (shown: string): Outcome => ({ status: 'failed', shown })
const waits = (pending: PendingCall): Waits<PendingCall> => ({ status: 'waits', pending })

/** The tools of the agent's servers as its permission mode allows them, and the question to a person. */
export function offeredTools(start: Start, tools: readonly ServerTool[]): LoopTool<PendingCall>[] {
  // In plan, what would be denied anyway is not shown to the model.
  const shown = tools.filter((tool) => start.mode !== 'plan' || permissionFor(start, tool) !== 'deny')
  const offered = shown.map((tool): LoopTool<PendingCall> => {
    const { name, description, inputSchema: parameters } = tool
    return {
      ...{ name, description, parameters },
      async call(given, { id }) {
        const input = asObject(given)
        const permission = permissionFor(start, tool)
        if (permission === 'run') return callServer(tool, id, input)
        if (permission === 'ask') return waits({ kind: 'tool', id, name, arguments: input })
        return {
          status: 'denied',
          shown: `Denied: the permission mode "${start.mode}" does not allow it.`,
        }
      },
    }
  })
  return start.mode === 'dontAsk' ? offered : [...offered, personTool]
}

/** With this the agent asks a person. The run waits until somebody answers. */
const personTool: LoopTool<PendingCall> = {
  name: 'ask_person',
  description:
    'Asks a person a question and waits for the answer, which may take hours. Only for what you cannot find out yourself.',
  parameters: {
    type: 'object',
    properties: { question: { type: 'string', description: 'The question, in plain words.' } },
    required: ['question'],
    additionalProperties: false,
  },
  async call(given, { id, name }) {
    const input = asObject(given)
    const question = typeof input['question'] === 'string' ? input['question'].trim() : ''
    if (!isVisible(question)) return failed('question must be a string that is not empty.')
    return waits({ kind: 'question', id, name, arguments: input, question: question.slice(0, 20_000) })
  },
}

/** A call that waited, after a person has decided. It may wait again. */
export async function makeDecided(
  { id, name, arguments: input }: PendingCall,
  decision: Decision,
  tools: readonly ServerTool[],
): Promise<Made> {
  if (decision.outcome === 'denied') return { status: 'denied', shown: `Denied: ${decision.reason}` }
  if (decision.outcome === 'answered')
    return { status: 'done', shown: `The person answered: ${decision.text}` }
  const tool = tools.find((each) => each.name === name)
  if (!tool) return failed(`There is no tool "${name}" any more.`)
  const approval = decision.outcome === 'approved' ? { approval_id: decision.approval_id } : {}
  return callServer(tool, id, { ...input, ...approval })
}

async function callServer(tool: ServerTool, id: string, input: Input): Promise<Made> {
  try {
    const { text, isError, approvalId } = await tool.call(input)
    if (approvalId !== undefined) {
      const { approval_id: _used, ...args } = input
      return waits({ kind: 'approval', id, name: tool.name, arguments: args, approval_id: approvalId })
    }
    return isError
      ? { status: 'failed', shown: text, data: `The tool reports an error.\n${text}` }
      : { status: 'done', shown: text, data: text }
  } catch (error) {
    return failed(`The tool server "${tool.server}" did not answer: ${messageOf(error)}`)
  }
}

/** A model may send anything as arguments. */
export function asObject(input: unknown): Input {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? { ...input } : { input }
}
