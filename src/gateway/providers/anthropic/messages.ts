import { invalidField } from '#kernel/errors'
import { marked, toBlock } from './blocks.ts'
import type { Block } from './blocks.ts'
import type { AssistantTurn } from '../../chat/assistant.ts'
import type { Conversation, UserTurn } from '../../chat/conversation.ts'
import type { ToolResult } from '../../chat/open-calls.ts'
import type { Dropped } from '../../wire/dropped.ts'
import type { ReasoningDetail } from '../../chat/reasoning-details.ts'
import type { ToolNames } from '../../chat/tool-names.ts'
import type { ClaudeCapabilities } from './models.ts'

export const reasoningFormat = 'anthropic-claude-v1'

interface Message {
  role: string
  content: Block[]
}

export interface TranslatedConversation {
  system: Block[]
  messages: Message[]
  /** Some assistant turn carries signed thinking. */
  hasThinking: boolean
  /** The conversation ends with tool results whose calls came without their thinking. */
  lacksThinking: boolean
}

export interface ClaudeContext {
  model: string
  can: ClaudeCapabilities
  names: ToolNames
  dropped: Dropped
}

export function toMessages(conversation: Conversation, how: ClaudeContext): TranslatedConversation {
  const { turns } = conversation
  const system = conversation.instructions.map((part) => toBlock(part, how.dropped))
  const messages: Message[] = []
  const followers = nextRoles(turns)
  let waiting: Block[][] = []
  for (const [index, turn] of turns.entries()) {
    if (turn.role === 'system') {
      const blocks = turn.parts.map((part) => toBlock(part, how.dropped))
      // A system message may stand only after a user turn: one that comes earlier waits for the next.
      if (!how.can.laterSystem) system.push(...blocks)
      else if (messages.at(-1)?.role !== 'assistant') add(messages, 'system', blocks)
      else if (followers[index] === 'user') waiting.push(blocks)
      else add(messages, 'user', blocks)
    } else if (turn.role === 'user') {
      add(messages, 'user', userBlocks(turn, how))
      for (const blocks of waiting) add(messages, 'system', blocks)
      waiting = []
    } else add(messages, 'assistant', assistantBlocks(turn, how))
  }
  finishPrefill(conversation, messages, how)
  return { system, messages, ...thinkingOf(messages) }
}

/** Adds an instruction at the end, so that a cached prompt before it stays the same; or where the model takes it. */
export function instruct(
  { system, messages }: TranslatedConversation,
  text: string,
  how: ClaudeContext,
): void {
  const block = { type: 'text', text }
  if (how.can.laterSystem && messages.at(-1)?.role !== 'assistant') add(messages, 'system', [block])
  else system.push(block)
}

function add(messages: Message[], role: string, content: Block[]): void {
  const last = messages.at(-1)
  if (last?.role === role && role !== 'system') last.content.push(...content)
  else messages.push({ role, content })
}

/** For each turn the role of the next one, system messages aside. */
function nextRoles(turns: Conversation['turns']): (string | undefined)[] {
  const roles: (string | undefined)[] = []
  let next: string | undefined
  for (let index = turns.length - 1; index >= 0; index--) {
    roles[index] = next
    const role = turns[index]?.role
    if (role !== 'system') next = role
  }
  return roles
}

function thinkingOf(
  messages: readonly Message[],
): Pick<TranslatedConversation, 'hasThinking' | 'lacksThinking'> {
  const last = messages.findLast((message) => message.role === 'assistant')
  const end = messages.findLast((message) => message.role !== 'system')
  const isToolLoop =
    last !== undefined &&
    last.content.some((block) => block['type'] === 'tool_use') &&
    end?.content.some((block) => block['type'] === 'tool_result') === true
  return {
    hasThinking: messages.some((message) => message.content.some(isThinking)),
    lacksThinking: isToolLoop && !last.content.some(isThinking),
  }
}

export function isThinking(block: Block): boolean {
  return block['type'] === 'thinking' || block['type'] === 'redacted_thinking'
}

function userBlocks(turn: UserTurn, how: ClaudeContext): Block[] {
  const results = turn.results.map((result) => resultBlock(result, how))
  return [...results, ...turn.parts.map((part) => toBlock(part, how.dropped))]
}

function resultBlock(result: ToolResult, how: ClaudeContext): Block {
  const block: Block = { type: 'tool_result', tool_use_id: toolUseId(result.call.id) }
  const [first] = result.parts
  const isPlain = result.parts.length === 1 && first?.type === 'text'
  if (isPlain) block['content'] = first.text
  else if (first)
    block['content'] = result.parts.map((part) => toBlock({ ...part, cacheControl: undefined }, how.dropped))
  // Inside a result nothing can be marked: a mark on one of its parts is one on the result.
  const mark = result.parts.findLast((part) => part.cacheControl)?.cacheControl
  return marked(block, result.cacheControl ?? mark)
}

/** Ids made elsewhere may hold characters that the API refuses; the same id always gives the same one. */
function toolUseId(id: string): string {
  return id.replaceAll(/[^a-zA-Z0-9_-]/g, (character) => `_${character.charCodeAt(0).toString(16)}_`)
}

/** Thinking goes back to where it stood between text and calls, unchanged. */
function assistantBlocks(turn: AssistantTurn, how: ClaudeContext): Block[] {
  const thoughts = turn.reasoning.flatMap((detail) => thinkingBlock(detail, how.model))
  const calls = turn.calls.map((call) => ({
    type: 'tool_use',
    id: toolUseId(call.id),
    name: how.names.toProvider(call.name),
    input: call.arguments,
  }))
  if (thoughts.every(({ detail }) => detail.textBefore === 0 && detail.callsBefore === 0)) {
    const texts = turn.parts.map((part) => toBlock(part, how.dropped))
    return [...thoughts.map((thought) => thought.block), ...texts, ...calls]
  }
  return interleaved(turn.parts.map((part) => part.text).join(''), thoughts, calls)
}

interface Thought {
  block: Block
  detail: ReasoningDetail
}

function interleaved(text: string, thoughts: readonly Thought[], calls: readonly Block[]): Block[] {
  const blocks: Block[] = []
  let written = 0
  let called = 0
  const catchUp = (textEnd: number, callEnd: number) => {
    const piece = text.slice(written, textEnd)
    if (piece.trim() !== '') blocks.push({ type: 'text', text: piece })
    written = Math.max(written, textEnd)
    for (; called < Math.min(callEnd, calls.length); called++) blocks.push(calls[called] ?? {})
  }
  for (const { block, detail } of thoughts) {
    catchUp(detail.textBefore, detail.callsBefore)
    blocks.push(block)
  }
  catchUp(text.length, calls.length)
  return blocks
}

/** Unsigned thinking, and thinking of another model, would be refused: it is left out. */
function thinkingBlock(detail: ReasoningDetail, model: string): Thought[] {
  if (detail.format !== '' && detail.format !== reasoningFormat) return []
  if (detail.model !== '' && detail.model !== model) return []
  if (detail.type === 'encrypted') {
    return detail.value === '' ? [] : [{ block: { type: 'redacted_thinking', data: detail.value }, detail }]
  }
  if (detail.signature === '') return []
  return [{ block: { type: 'thinking', thinking: detail.value, signature: detail.signature }, detail }]
}

/** A trailing assistant message asks to be continued; that needs a model which does so, and no space at its end. */
function finishPrefill(
  { turns }: Conversation,
  messages: readonly Message[],
  { can, model }: ClaudeContext,
): void {
  const turn = turns.findLast((one) => one.role !== 'system')
  const last = messages.at(-1)
  if (turn?.role !== 'assistant' || last?.role !== 'assistant') return
  if (!can.prefill) {
    throw invalidField(
      turn.path,
      `is an assistant message at the end, which ${model} does not continue: end with a user message`,
    )
  }
  const block = last.content.at(-1)
  if (typeof block?.['text'] === 'string') block['text'] = block['text'].trimEnd()
}
