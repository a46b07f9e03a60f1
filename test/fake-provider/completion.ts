import type { Identifiers } from './identifiers.ts'
import { countTokens } from './prompt.ts'
import type { Prompt } from './prompt.ts'
import type { Finish, Reply, Usage } from './reply.ts'
import { sample } from './sample.ts'

interface ToolCall {
  id: string
  name: string
  /** JSON text. */
  arguments: string
}

/** What the model says, in a shape common to all five providers. */
export interface Completion {
  reasoning: string
  text: string
  pieces: () => Iterable<string>
  calls: ToolCall[]
  refusal: string | null
  finish: Finish
  nativeFinish: string | undefined
  stopSequence: string | null
  usage: Usage
}

/** Answers a prompt: always the same to the same prompt, unless the reply says otherwise. */
export function compose(
  prompt: Prompt,
  reply: Reply,
  nextCallId: () => string,
  cached: { read: number; write: number } = { read: 0, write: 0 },
): Completion {
  const scripted = reply.text !== undefined || reply.repeat !== undefined
  const thinks = prompt.reasoning !== 'none'
  let reasoning = reply.reasoning ?? (thinks ? `Thinking about it: ${prompt.text}` : '')
  const calls = composeCalls(prompt, reply, nextCallId)
  const speech = calls.length > 0 && !scripted ? '' : composeText(prompt, reply)
  // A scripted text goes out as it stands: neither stop words nor limits cut it.
  let { text, stopSequence } = stopAt(speech, scripted ? [] : prompt.stop)

  let finish: Finish = calls.length > 0 ? 'tool_calls' : 'stop'
  const said = countTokens(text) + calls.reduce((sum, call) => sum + countTokens(call.arguments) + 4, 0)
  let spent = countTokens(reasoning) + said
  if (!scripted && prompt.maxTokens !== undefined && spent > prompt.maxTokens) {
    reasoning = cutToTokens(reasoning, prompt.maxTokens)
    text = cutToTokens(text, prompt.maxTokens - countTokens(reasoning))
    spent = prompt.maxTokens
    finish = 'length'
    stopSequence = null
  }
  if (reply.refusal !== undefined) finish = 'content_filter'

  return {
    reasoning,
    text,
    pieces: () => (reply.repeat === undefined ? words(text) : repeated(text, reply.repeat.text.length)),
    calls: finish === 'length' ? [] : calls,
    refusal: reply.refusal ?? null,
    finish: reply.finish ?? finish,
    nativeFinish: reply.nativeFinish,
    stopSequence,
    usage: {
      input: prompt.inputTokens,
      cached: cached.read,
      cacheWrite: cached.write,
      output: Math.max(1, spent),
      reasoning: countTokens(reasoning),
      ...reply.usage,
    },
  }
}

export function callIds(identifiers: Identifiers, prefix: string, length: number): () => string {
  return () => identifiers.next(prefix, length)
}

function composeText(prompt: Prompt, reply: Reply): string {
  if (reply.refusal !== undefined) return ''
  if (reply.text !== undefined) return reply.text
  if (reply.repeat !== undefined) return reply.repeat.text.repeat(reply.repeat.times)
  if (prompt.json === 'object') return JSON.stringify({ echo: prompt.text })
  if (prompt.json !== undefined) return JSON.stringify(sample(prompt.json.schema))
  const seen = [
    prompt.images > 0 ? `I see ${prompt.images} image(s).` : '',
    prompt.documents > 0 ? `I read ${prompt.documents} document(s).` : '',
    prompt.audio > 0 ? `I hear ${prompt.audio} recording(s).` : '',
  ].filter((sentence) => sentence !== '')
  const main =
    prompt.toolResults.length > 0
      ? `The tool answered: ${prompt.toolResults.join(' | ')}`
      : `Echo: ${prompt.text}`
  return [...seen, main].join(' ')
}

function composeCalls(prompt: Prompt, reply: Reply, nextCallId: () => string): ToolCall[] {
  if (reply.toolCalls !== undefined) {
    return reply.toolCalls.map((call) => ({
      id: call.id ?? nextCallId(),
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {}),
    }))
  }
  if (reply.text !== undefined || reply.repeat !== undefined || reply.refusal !== undefined) return []
  return wantedTools(prompt).map((tool) => ({
    id: nextCallId(),
    name: tool.name,
    arguments: JSON.stringify(sample(tool.schema) ?? {}),
  }))
}

function wantedTools(prompt: Prompt): Prompt['tools'] {
  const { tools, toolChoice } = prompt
  if (tools.length === 0 || toolChoice === 'none') return []
  if (typeof toolChoice === 'object') return tools.filter((tool) => tool.name === toolChoice.name)
  const request = prompt.text.toLowerCase()
  const asked = prompt.toolResults.length === 0 && request.includes('call the tool')
  if (toolChoice !== 'required' && !asked) return []
  const first = tools.find((tool) => request.includes(tool.name.toLowerCase())) ?? tools[0]
  if (first === undefined) return []
  if (!prompt.parallel || !request.includes('in parallel')) return [first]
  return tools.length > 1 ? tools : [first, first]
}

function stopAt(text: string, stops: string[]): { text: string; stopSequence: string | null } {
  let end = text.length
  let stopSequence: string | null = null
  for (const stop of stops) {
    const at = stop === '' ? -1 : text.indexOf(stop)
    if (at >= 0 && at < end) {
      end = at
      stopSequence = stop
    }
  }
  return { text: text.slice(0, end), stopSequence }
}

function cutToTokens(text: string, tokens: number): string {
  let bytes = 0
  let kept = ''
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > tokens * 4) break
    kept += character
  }
  return kept
}

/** Lazily, so that a huge text is never held as a list of pieces. */
export function* words(text: string): Iterable<string> {
  for (const match of text.matchAll(/\S+\s*|\s+/g)) yield match[0]
}

function* repeated(text: string, length: number): Iterable<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

/** A text in pieces of equal length: how providers stream arguments and reasoning. */
export function* slices(text: string, length: number): Iterable<string> {
  const characters = Array.from(text)
  for (let at = 0; at < characters.length; at += length) yield characters.slice(at, at + length).join('')
}
