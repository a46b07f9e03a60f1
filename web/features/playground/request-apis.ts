import type { ChatBody, Message } from './request-body.ts'

export const apis = [
  { id: 'chat', label: 'Chat Completions' },
  { id: 'responses', label: 'Responses' },
  { id: 'messages', label: 'Messages' },
] as const
export type Api = (typeof apis)[number]['id']

export type Value = string | number | boolean | Value[] | { [name: string]: Value }
export interface ApiBody {
  fields: Record<string, Value>
  /** Where the request differs from the settings, for the user to read. */
  notes: string[]
}

/** The same request for each API of the gateway. */
export function bodyFor(api: Api, body: ChatBody): ApiBody {
  if (api === 'responses') return { fields: responsesFields(body), notes: [] }
  return api === 'messages' ? messagesBody(body) : { fields: chatFields(body), notes: [] }
}

function chatFields({ messages, ...rest }: ChatBody): Record<string, Value> {
  return { ...rest, messages: plainMessages(messages) }
}

function responsesFields(body: ChatBody): Record<string, Value> {
  const { system, turns } = splitSystem(body.messages)
  const limit = limitOf(body)
  const [only] = turns
  return {
    model: body.model,
    ...(system === undefined ? {} : { instructions: system }),
    ...(body.temperature === undefined ? {} : { temperature: body.temperature }),
    ...(limit === undefined ? {} : { max_output_tokens: limit }),
    ...(body.reasoning_effort === undefined ? {} : { reasoning: { effort: body.reasoning_effort } }),
    input: turns.length === 1 && only?.role === 'user' ? only.content : plainMessages(turns),
  }
}

/** The API requires a limit; older models allow no more, and the client accepts this much without streaming. */
const defaultLimit = 8192

/** Claude gets Messages requests unchanged (passthrough). */
const isClaude = ({ model }: ChatBody): boolean => model.startsWith('claude-')
const passthroughNote = 'Claude gets this request unchanged: models without reasoning reject it.'

function messagesBody(body: ChatBody): ApiBody {
  const { system, turns } = splitSystem(body.messages)
  const limit = limitOf(body)
  const { temperature, note } = messagesTemperature(body)
  const fields = {
    model: body.model,
    max_tokens: limit ?? defaultLimit,
    ...(system === undefined ? {} : { system }),
    ...(temperature === undefined ? {} : { temperature }),
    ...thinkingFields(body.reasoning_effort),
    messages: plainMessages(turns),
  }
  const notes = [
    ...(limit === undefined
      ? [`The Messages API requires max_tokens; ${defaultLimit} is used because none is set.`]
      : []),
    ...(note === undefined ? [] : [note]),
    ...(isClaude(body) && body.reasoning_effort !== undefined ? [passthroughNote] : []),
  ]
  return { fields, notes }
}

/** The maximum is 1 in this API, and Claude accepts no temperature with reasoning. */
function messagesTemperature(body: ChatBody) {
  const { temperature, reasoning_effort: effort } = body
  if (temperature === undefined) return {}
  if (isClaude(body) && effort !== undefined && effort !== 'none')
    return { note: 'Claude accepts no temperature with reasoning, so it is left out.' }
  if (temperature <= 1) return { temperature }
  return {
    temperature: 1,
    note: `The Messages API allows temperatures up to 1, so ${temperature} becomes 1.`,
  }
}

function thinkingFields(effort: string | undefined): Record<string, Value> {
  if (effort === undefined) return {}
  if (effort === 'none') return { thinking: { type: 'disabled' } }
  // The lowest effort of this API.
  return {
    thinking: { type: 'adaptive' },
    output_config: { effort: effort === 'minimal' ? 'low' : effort },
  }
}

const limitOf = (body: ChatBody): number | undefined => body.max_completion_tokens ?? body.max_tokens
const plainMessages = (messages: readonly Message[]): Value[] =>
  messages.map(({ role, content }) => ({ role, content }))

function splitSystem(messages: readonly Message[]): { system: string | undefined; turns: Message[] } {
  return {
    system: messages.find(({ role }) => role === 'system')?.content,
    turns: messages.filter(({ role }) => role !== 'system'),
  }
}
