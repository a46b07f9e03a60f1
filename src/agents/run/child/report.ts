import type { TextStreamPart, ToolSet } from 'ai'
import { cut } from '#kernel/untrusted'
import { maxArguments, maxToolOutput, type FromChild } from '../protocol.ts'
import { asObject, type Calls } from './calls.ts'
import { RunFailure } from './failure.ts'
import type { Line } from './line.ts'

/** No task needs so many in one response; a model that is out of order sends thousands. */
const maxCallsAtOnce = 100

/** Tells the server what happens, in the order in which it does. */
export async function report(stream: AsyncIterable<Part>, calls: Calls, line: Line): Promise<void> {
  let atOnce = 0
  for await (const part of stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'start-step') atOnce = 0
    if (part.type === 'tool-call' && ++atOnce > maxCallsAtOnce)
      throw new RunFailure(
        'max_tool_calls',
        `The model called more than ${maxCallsAtOnce} tools in one response, which is the limit.`,
      )
    const message = messageFor(part, calls)
    if (message) await line.send(message)
  }
}

type Part = TextStreamPart<ToolSet>

function messageFor(part: Part, calls: Calls): FromChild | undefined {
  if (part.type === 'text-delta') return { type: 'text', content: part.text }
  if (part.type === 'reasoning-delta') return { type: 'thought', content: part.text }
  if (part.type === 'tool-call')
    return {
      type: 'tool_call',
      id: part.toolCallId,
      name: part.toolName.slice(0, 200),
      server: calls.serverOf(part.toolName),
      arguments: shown(asObject(part.input)),
    }
  if (part.type === 'tool-result' && !calls.isPending(part.toolCallId))
    return resultOf(part.toolCallId, '', calls)
  if (part.type === 'tool-error') return resultOf(part.toolCallId, messageOf(part.error), calls)
  return undefined
}

/** `text`: where the call failed in the library, before any tool was called. */
export function resultOf(id: string, text: string, calls: Calls): FromChild {
  const made = calls.taken(id)
  return {
    type: 'tool_result',
    id,
    status: made?.status ?? 'failed',
    result: cut(made?.result ?? text, maxToolOutput),
    duration_ms: made?.durationMs ?? 0,
  }
}

/** Long arguments reach the tool whole; people see the beginning. */
function shown(input: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(input)
  return text.length <= maxArguments ? input : { cut: text.slice(0, maxArguments) }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
