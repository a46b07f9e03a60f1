import type { ModelMessage, ToolModelMessage } from 'ai'
import type { PendingCall, Start } from '../protocol.ts'
import type { Calls } from './calls.ts'
import type { Line } from './line.ts'
import { resultOf } from './report.ts'

/**
 * The conversation up to here. Where a call waited, what the person decided is carried out and becomes its result;
 * further calls that wait stay in `calls.pending`.
 */
export async function resumed(start: Start, calls: Calls, line: Line): Promise<ModelMessage[]> {
  const { memory, decision, request } = start
  if (!memory || !decision) return [{ role: 'user', content: request }]
  const messages = memory.messages as ModelMessage[]
  const [first, ...others] = memory.pending
  if (!first) return messages
  const text = await calls.makeDecided(first, decision)
  const isSettled = !calls.isPending(first.id)
  calls.pending.push(...others)
  if (!isSettled) return messages
  await line.send(resultOf(first.id, text, calls))
  return withResult(messages, first, text)
}

/** Results of one answer of the model belong into one message. */
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

/** Calls that wait have no result yet. */
export function withoutResults(messages: ModelMessage[], pending: readonly PendingCall[]): ModelMessage[] {
  const waits = new Set(pending.map(({ id }) => id))
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role !== 'tool') return [message]
    const content = message.content.filter(
      (part) => part.type !== 'tool-result' || !waits.has(part.toolCallId),
    )
    return content.length === 0 ? [] : [{ ...message, content }]
  })
}
