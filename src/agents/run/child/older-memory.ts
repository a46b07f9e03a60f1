import { z } from 'zod'

const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('tool-call'),
    toolCallId: z.string(),
    toolName: z.string(),
    input: z.unknown(),
  }),
  z.object({
    type: z.literal('tool-result'),
    toolCallId: z.string(),
    output: z.looseObject({ value: z.unknown() }),
  }),
])
const older = z.object({ role: z.enum(['user', 'assistant', 'tool']), content: z.array(z.unknown()) })

/** Messages of runs that began to wait before the conversation was kept as Chat Completions have it. */
export function inChatForm(messages: readonly unknown[]): object[] {
  return messages.flatMap((message) => {
    const { data } = older.safeParse(message)
    if (!data) return [message as object]
    const parts = data.content.flatMap((each) => part.safeParse(each).data ?? [])
    if (data.role === 'tool')
      return parts.flatMap((each) =>
        each.type === 'tool-result'
          ? [{ role: 'tool', tool_call_id: each.toolCallId, content: textOf(each.output.value) }]
          : [],
      )
    const calls = parts.flatMap((each) => (each.type === 'tool-call' ? [each] : []))
    return [
      {
        role: data.role,
        content: parts.map((each) => (each.type === 'text' ? each.text : '')).join('') || null,
        ...(calls.length > 0 && {
          tool_calls: calls.map(({ toolCallId: id, toolName: name, input }) => ({
            ...{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } },
          })),
        }),
      },
    ]
  })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
