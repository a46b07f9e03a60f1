import type { ModelReply } from '#kernel/model-reply'
import type { LoopCall } from './tool.ts'

interface AssistantMessage {
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
}

/**
 * Gives a call whose ID the conversation has already another one. Some models number their calls from one in every
 * response, or give all of them the same ID; a result would then be taken for that of another call.
 */
export function distinctIds({ toolCalls }: ModelReply, messages: readonly AssistantMessage[]): LoopCall[] {
  const taken = new Set(messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id)))
  return toolCalls.map(({ id, name, arguments: given }) => {
    let free = id
    for (let number = 2; taken.has(free); number++) free = `${id}-${number}`
    taken.add(free)
    return { id: free, name, text: given, input: parse(given) }
  })
}

/** The message as it can be sent back: some providers refuse one whose arguments are not an object. */
export function returnable({ message }: ModelReply, calls: readonly LoopCall[]): AssistantMessage {
  const { tool_calls: made = [] } = message as AssistantMessage
  return {
    ...message,
    tool_calls: made.map((call, at) => ({
      ...call,
      id: calls[at]?.id ?? call.id,
      function: isObject(calls[at]?.input) ? call.function : { ...call.function, arguments: '{}' },
    })),
  }
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Undefined where it is no JSON. */
function parse(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    return undefined
  }
}
