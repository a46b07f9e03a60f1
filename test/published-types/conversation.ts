import type { Random } from './random.ts'
import type { FunctionTool } from './tools.ts'

type Message = Record<string, unknown>
type Part = Record<string, unknown>

/** What a provider takes in the messages of a conversation. */
export interface SpeechRules {
  /** Makes a part that is not text. */
  media: readonly ((random: Random) => Part)[]
  /** Makes a part of a tool result that is not text. */
  resultMedia: readonly ((random: Random) => Part)[]
  /** Continues a message of the assistant at the end. */
  canPrefill: boolean
  /** More members of an assistant message: thoughts and signatures from an earlier response. */
  remembered: (random: Random) => Message
}

const texts = [
  'What will the weather be like?',
  'Grüße aus Zürich: "naïve" \\ \u2028 🚆',
  'Say it in json, please.',
  'One line\nand another\ttabbed',
]

export function text(random: Random): string {
  return random.pick(texts)
}

export function messages(random: Random, tools: readonly FunctionTool[], rules: SpeechRules): Message[] {
  const list: Message[] = random.chance(50) ? [instruction(random)] : []
  for (const _ of random.times(0, 2, Number)) {
    list.push(user(random, rules))
    if (random.chance(15)) list.push(instruction(random))
    const calls = tools.length > 0 && random.chance(50) ? toolCalls(random, tools, list.length) : []
    list.push(assistant(random, calls, rules))
    list.push(...calls.map((call) => result(random, call, rules)))
    if (calls.length > 0 && random.chance(50)) list.push(assistant(random, [], rules))
  }
  const isOpen = list.at(-1)?.['role'] === 'tool' && random.chance(60)
  if (!isOpen) list.push(user(random, rules))
  if (rules.canPrefill && random.chance(10)) list.push({ role: 'assistant', content: 'It will be ' })
  return list
}

function instruction(random: Random): Message {
  const content = random.chance(60) ? 'Be brief. Answer in json.' : [{ type: 'text', text: text(random) }]
  return { role: random.pick(['system', 'developer']), content }
}

function user(random: Random, { media }: SpeechRules): Message {
  const named = random.some(10, { name: ['ada'] })
  if (random.chance(50)) return { role: 'user', content: text(random), ...named }
  const parts = random.times(1, 3, () =>
    media.length > 0 && random.chance(50) ? random.pick(media)(random) : { type: 'text', text: text(random) },
  )
  return { role: 'user', content: parts, ...named }
}

interface ToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

function toolCalls(random: Random, tools: readonly FunctionTool[], place: number): ToolCall[] {
  const given = ['{}', '{"city":"Bern","days":3}', '{"place":{"deep":[1,null,"x"]},"isExact":false}']
  return random.times(1, 3, (index) => ({
    id: `call_${place}_${index}`,
    type: 'function',
    function: { name: random.pick(tools).function.name, arguments: random.pick(given) },
  }))
}

function assistant(random: Random, calls: ToolCall[], rules: SpeechRules): Message {
  const role = 'assistant'
  if (calls.length > 0) {
    const content = random.pick([{ content: null }, { content: 'Let me look.' }, {}])
    return { role, ...content, tool_calls: calls, ...rules.remembered(random) }
  }
  if (random.chance(10)) return { role, content: null, refusal: 'I cannot help with that.' }
  const content = random.chance(70) ? text(random) : [{ type: 'text', text: text(random) }]
  return { role, content, ...rules.remembered(random) }
}

function result(random: Random, call: ToolCall, { resultMedia }: SpeechRules): Message {
  const content = random.chance(60)
    ? random.pick(['{"temperature":21}', 'sunny', '[]'])
    : [
        { type: 'text', text: text(random) },
        ...(resultMedia.length > 0 && random.chance(60) ? [random.pick(resultMedia)(random)] : []),
      ]
  return { role: 'tool', tool_call_id: call.id, content }
}
