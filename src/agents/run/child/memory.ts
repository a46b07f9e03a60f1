import type { ModelMessage, ToolModelMessage } from 'ai'
import type { PendingCall, Start } from '../protocol.ts'
import type { Calls } from './calls.ts'
import type { Line } from './line.ts'
import { resultOf } from './report.ts'

/**
 * The conversation up to here. Where a call waited, what the person decided is carried out and becomes its result; it
 * may wait again, in `calls.pending`.
 */
export async function resumed(start: Start, calls: Calls, line: Line): Promise<ModelMessage[]> {
  const { memory, decision, request } = start
  if (!memory || !decision) return [{ role: 'user', content: request }]
  const [first, ...others] = memory.pending
  let messages = memory.messages as ModelMessage[]
  if (!first) return messages
  const settled = async (call: PendingCall, text: string): Promise<void> => {
    messages = withResult(messages, call, text)
    await line.send(resultOf(call.id, text, calls))
  }
  // Runs that waited before calls were made in order may have several that wait.
  for (const call of others) await settled(call, calls.skip({ ...call, input: call.arguments }))
  const text = await calls.makeDecided(first, decision)
  if (!calls.isPending(first.id)) await settled(first, text)
  return messages
}

/** Results of one response of the model belong into one message. */
function withResult(messages: ModelMessage[], call: PendingCall, text: string): ModelMessage[] {
  const result: ToolModelMessage['content'][number] = {
    type: 'tool-result',
    toolCallId: call.id,
    toolName: call.name,
    output: { type: 'text', value: text },
  }
  const last = messages.at(-1)
  if (last?.role !== 'tool') return [...messages, { role: 'tool', content: [result] }]
  return [...messages.slice(0, -1), { ...last, content: [...last.content, result] }]
}

/** A call that waits has no result yet. */
export function withoutResult(messages: ModelMessage[], pending: PendingCall | undefined): ModelMessage[] {
  if (!pending) return messages
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role !== 'tool') return [message]
    const content = message.content.filter(
      (part) => part.type !== 'tool-result' || part.toolCallId !== pending.id,
    )
    return content.length === 0 ? [] : [{ ...message, content }]
  })
}
