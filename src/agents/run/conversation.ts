import { cut, untrusted } from '#kernel/agent-loop'
import type { LogEvent } from '#kernel/event-log'

interface Call {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

type Message =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: Call[] }
  | { role: 'tool'; tool_call_id: string; content: string }

/** What a model reads again of an earlier conversation, in characters. */
const maxConversation = 200_000
/** What is left of a text that is older than that. */
const maxOld = 500

/**
 * The conversation of a run as its events have it, for a model that continues it. However a run ended, this is what
 * people see of it: results of tools are cut as on its page, and keys are masked.
 */
export function conversationOf(request: string, events: readonly LogEvent[]): object[] {
  const messages: Message[] = [{ role: 'user', content: request }]
  /** The calls that have not returned, with their names. */
  const open = new Map<string, string>()
  const known = new Set<string>()

  /** The message of the model that continues here: results end one. */
  function assistant(): Extract<Message, { role: 'assistant' }> {
    const last = messages.at(-1)
    if (last?.role === 'assistant') return last
    const next = { role: 'assistant' as const, content: null }
    messages.push(next)
    return next
  }

  function close(): void {
    for (const id of open.keys()) messages.push({ role: 'tool', tool_call_id: id, content: unreturned })
    open.clear()
    if (messages.at(-1)?.role !== 'assistant') messages.push({ role: 'assistant', content: endedEarly })
  }

  for (const { type, data } of events) {
    const of = data as Record<string, string>
    if (type === 'request') {
      close()
      messages.push({ role: 'user', content: of['request'] ?? '' })
    } else if (type === 'text') {
      const message = assistant()
      message.content = (message.content ?? '') + of['content']
    } else if (type === 'tool_call') {
      const { id = '', name = '' } = of
      // One that waited may have been reported twice.
      if (known.has(id)) continue
      known.add(id)
      open.set(id, name)
      const message = assistant()
      message.tool_calls ??= []
      message.tool_calls.push({
        ...{ id, type: 'function' },
        function: { name, arguments: JSON.stringify(data['arguments'] ?? {}) },
      })
    } else if (type === 'tool_result') {
      const { id = '', result = '' } = of
      const name = open.get(id)
      if (name === undefined) continue
      open.delete(id)
      messages.push({ role: 'tool', tool_call_id: id, content: untrusted(name, result) })
    }
  }
  close()
  return bounded(messages)
}

const unreturned = 'Not known: the run ended before this call returned.'
/** Some providers refuse two messages of a person in a row. */
const endedEarly = 'The run ended here, before I responded.'

/** From the newest on as it was; of what is older, only that it was. */
function bounded(messages: readonly Message[]): Message[] {
  let left = maxConversation
  return messages
    .toReversed()
    .map((message) => {
      const size = JSON.stringify(message).length
      left = size <= left ? left - size : 0
      return left > 0 ? message : shortened(message)
    })
    .toReversed()
}

function shortened(message: Message): Message {
  if (message.role === 'tool')
    return { ...message, content: 'Left out: the conversation is long. Call the tool again if you need it.' }
  if (message.role === 'user') return { ...message, content: cut(message.content, maxOld) }
  const { tool_calls: calls, content } = message
  return {
    role: 'assistant',
    content: content === null ? null : cut(content, maxOld),
    ...(calls && {
      tool_calls: calls.map((call) => ({ ...call, function: { ...call.function, arguments: '{}' } })),
    }),
  }
}
