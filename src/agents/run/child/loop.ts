import {
  cut,
  LoopStop,
  maxData,
  resultMessage,
  runLoop,
  skipped,
  type LoopHooks,
  type Outcome,
} from '#kernel/agent-loop'
import { maxArguments, type FromChild, type PendingCall, type Start } from '../protocol.ts'
import { isVisible } from '../visible.ts'
import type { Line } from './line.ts'
import { modelOf } from './model.ts'
import { inChatForm } from './older-memory.ts'
import type { ServerTool } from './servers.ts'
import { asObject, makeDecided, offeredTools } from './tools.ts'

/** From the request, or from where it waited, to the next thing that ends this process: a response or a wait. */
export async function runAgent(start: Start, tools: readonly ServerTool[], line: Line): Promise<FromChild> {
  const hooks = { ask: modelOf(start, line), ...reporting(tools, line) }
  const before = await conversation(start, tools, hooks)
  if (before.pending) return waiting(before.messages, before.pending)
  const end = await runLoop(before.messages, offeredTools(start, tools), hooks)
  if (end.kind === 'waits') return waiting(end.messages, end.pending)
  const response = (end.reply.text ?? '').trim()
  if (!isVisible(response)) throw new LoopStop('no_response', 'The model ended without saying anything.')
  return { type: 'completed', response }
}

/** The conversation up to here. Where a call waited, what the person decided is carried out; it may wait again. */
async function conversation(
  { memory, decision, request }: Start,
  tools: readonly ServerTool[],
  { settled }: Pick<LoopHooks, 'settled'>,
): Promise<{ messages: object[]; pending?: PendingCall }> {
  const [first, ...others] = memory?.pending ?? []
  const messages = inChatForm(memory?.messages ?? [])
  // A new run, or one that had ended and was continued.
  if (!decision || !first) return { messages: [...messages, { role: 'user', content: request }] }
  const settle = async (call: PendingCall, made: Outcome, startedAt = performance.now()): Promise<void> => {
    messages.push(resultMessage(call, made))
    await settled(calledBy(call), made, Math.round(performance.now() - startedAt))
  }
  // Runs that waited before calls were made in order may have several that wait.
  for (const call of others) await settle(call, skipped)
  const startedAt = performance.now()
  const made = await makeDecided(first, decision, tools)
  if (made.status === 'waits') return { messages, pending: made.pending }
  await settle(first, made, startedAt)
  return { messages }
}

const calledBy = ({ id, name, arguments: input }: PendingCall) => ({ id, name, text: '', input })

const waiting = (messages: object[], pending: PendingCall): FromChild => ({
  type: 'waiting',
  memory: { messages, pending: [pending] },
})

/** Tells the server what happens, in the order in which it does. */
function reporting(
  tools: readonly ServerTool[],
  line: Line,
): Required<Pick<LoopHooks, 'called' | 'settled'>> {
  return {
    called: ({ id, name, text, input }) =>
      line.send({
        ...{ type: 'tool_call', id, name: name.slice(0, 200) },
        server: tools.find((tool) => tool.name === name)?.server ?? null,
        arguments: shown(asObject(input === undefined ? text : input)),
      }),
    settled: ({ id }, { status, shown: result }, durationMs) =>
      line.send({
        ...{ type: 'tool_result', id, status },
        ...{ result: cut(result, maxData), duration_ms: durationMs },
      }),
  }
}

/** Long arguments reach the tool whole; people see the beginning. */
function shown(input: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(input)
  return text.length <= maxArguments ? input : { cut: text.slice(0, maxArguments) }
}
