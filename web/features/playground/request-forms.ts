import type { ChatBody, Message } from './request-body.ts'

export const forms = [
  { id: 'chat', label: 'Chat completions' },
  { id: 'responses', label: 'Responses' },
  { id: 'messages', label: 'Messages' },
] as const
export type Form = (typeof forms)[number]['id']

export type Value = string | number | boolean | Value[] | { [name: string]: Value }
export interface FormBody {
  fields: Record<string, Value>
  /** What the form cannot say as the settings do, in words for the reader. */
  notes: string[]
}

/** The same request in each of the forms that the gateway takes. */
export function inForm(form: Form, body: ChatBody): FormBody {
  if (form === 'responses') return { fields: responsesFields(body), notes: [] }
  return form === 'messages' ? messagesBody(body) : { fields: chatFields(body), notes: [] }
}

function chatFields({ messages, ...rest }: ChatBody): Record<string, Value> {
  return { ...rest, messages: spoken(messages) }
}

function responsesFields(body: ChatBody): Record<string, Value> {
  const { system, turns } = apart(body.messages)
  const limit = limitOf(body)
  const [only] = turns
  return {
    model: body.model,
    ...(system === undefined ? {} : { instructions: system }),
    ...(body.temperature === undefined ? {} : { temperature: body.temperature }),
    ...(limit === undefined ? {} : { max_output_tokens: limit }),
    ...(body.reasoning_effort === undefined ? {} : { reasoning: { effort: body.reasoning_effort } }),
    input: turns.length === 1 && only?.role === 'user' ? only.content : spoken(turns),
  }
}

/** The form wants a limit; older models give no more, and the client waits for so much without a stream. */
const usualLimit = 8192

/** Requests in this form are passed on to Claude byte for byte, not fitted to the model. */
const isClaude = ({ model }: ChatBody): boolean => model.startsWith('claude-')
const asWritten = 'Claude gets this as it stands: a model that cannot reason so refuses it.'

function messagesBody(body: ChatBody): FormBody {
  const { system, turns } = apart(body.messages)
  const limit = limitOf(body)
  const { temperature, note } = messagesTemperature(body)
  const fields = {
    model: body.model,
    max_tokens: limit ?? usualLimit,
    ...(system === undefined ? {} : { system }),
    ...(temperature === undefined ? {} : { temperature }),
    ...thinkingFields(body.reasoning_effort),
    messages: spoken(turns),
  }
  const notes = [
    ...(limit === undefined
      ? [`Messages must name a longest answer: ${usualLimit} tokens, as the settings name none.`]
      : []),
    ...(note === undefined ? [] : [note]),
    ...(isClaude(body) && body.reasoning_effort !== undefined ? [asWritten] : []),
  ]
  return { fields, notes }
}

/** Temperatures end at 1 here, and Claude takes none while it thinks. */
function messagesTemperature(body: ChatBody) {
  const { temperature, reasoning_effort: effort } = body
  if (temperature === undefined) return {}
  if (isClaude(body) && effort !== undefined && effort !== 'none')
    return { note: 'Claude takes no temperature while it reasons: it is left out.' }
  if (temperature <= 1) return { temperature }
  return { temperature: 1, note: `Temperatures of Messages end at 1, which stands for ${temperature}.` }
}

function thinkingFields(effort: string | undefined): Record<string, Value> {
  if (effort === undefined) return {}
  if (effort === 'none') return { thinking: { type: 'disabled' } }
  // The least that the form has a word for.
  return {
    thinking: { type: 'adaptive' },
    output_config: { effort: effort === 'minimal' ? 'low' : effort },
  }
}

const limitOf = (body: ChatBody): number | undefined => body.max_completion_tokens ?? body.max_tokens
const spoken = (messages: readonly Message[]): Value[] =>
  messages.map(({ role, content }) => ({ role, content }))

function apart(messages: readonly Message[]): { system: string | undefined; turns: Message[] } {
  return {
    system: messages.find(({ role }) => role === 'system')?.content,
    turns: messages.filter(({ role }) => role !== 'system'),
  }
}
