import { invalidField } from '#kernel/errors'
import { isAbsent, type JsonObject } from '../wire/json.ts'
import { optionalString, requireArray, requireObject, requireString } from '../wire/request-json.ts'
import { readAssistant } from './assistant.ts'
import type { AssistantTurn } from './assistant.ts'
import { readCacheControl, readContent, readTextContent } from './parts.ts'
import type { Part, TextPart } from './parts.ts'
import { OpenCalls } from './open-calls.ts'
import type { ToolResult } from './open-calls.ts'

/** The results of the calls before it come first, in the order of the calls; then the user's own parts. */
export interface UserTurn {
  role: 'user'
  path: string
  results: ToolResult[]
  parts: Part[]
}

export interface SystemTurn {
  role: 'system'
  path: string
  parts: TextPart[]
}

export type Turn = UserTurn | AssistantTurn | SystemTurn

export interface Conversation {
  /** System and developer messages at the beginning. */
  instructions: TextPart[]
  /** Begins with a user turn; no two user or assistant turns follow each other. */
  turns: Turn[]
}

/** Reads chat messages into turns that providers with strict alternation accept. */
export function readConversation(messages: unknown, dropped: Set<string>): Conversation {
  const reader = new ConversationReader(dropped)
  for (const [index, message] of requireArray(messages, 'messages').entries()) {
    reader.read(requireObject(message, `messages.${index}`), `messages.${index}`)
  }
  return reader.finish()
}

class ConversationReader {
  readonly #instructions: TextPart[] = []
  readonly #turns: Turn[] = []
  readonly #dropped: Set<string>
  #open: OpenCalls | undefined
  /** Where the last of the instructions begins. */
  #lastInstruction = 0

  constructor(dropped: Set<string>) {
    this.#dropped = dropped
  }

  read(message: JsonObject, path: string): void {
    if (!isAbsent(message['name']) && message['role'] !== 'tool') this.#dropped.add('messages.name')
    switch (message['role']) {
      case 'system':
      case 'developer':
        return this.#system(message, path)
      case 'user':
        return this.#user(message, path)
      case 'assistant':
        return this.#assistant(message, path)
      case 'tool':
        return this.#tool(message, path)
      default:
        throw invalidField(`${path}.role`, 'must be system, developer, user, assistant or tool')
    }
  }

  finish(): Conversation {
    this.#open?.close()
    const [first] = this.#turns
    if (!first) this.#turns.push(this.#instructionsAsUser())
    else if (first.role === 'assistant') this.#turns.unshift(userTurn(first.path, assistantFirst))
    for (const turn of this.#turns) {
      if (turn.role !== 'user' || turn.results.length > 0 || turn.parts.length > 0) continue
      turn.parts.push(wordsOf(turn.path, noText))
    }
    return { instructions: this.#instructions, turns: this.#turns }
  }

  /** A conversation of instructions alone: the last message is what the model has to respond to. */
  #instructionsAsUser(): UserTurn {
    const last = this.#instructions.splice(this.#lastInstruction)
    if (last.length === 0) throw invalidField('messages', 'must hold at least one message with text')
    return { role: 'user', path: 'messages', results: [], parts: last }
  }

  #system(message: JsonObject, path: string): void {
    const parts = marked(readTextContent(message['content'], `${path}.content`), message, path)
    if (this.#turns.length === 0) {
      if (parts.length > 0) this.#lastInstruction = this.#instructions.length
      this.#instructions.push(...parts)
    } else if (parts.length > 0) this.#turns.push({ role: 'system', path, parts })
  }

  #user(message: JsonObject, path: string): void {
    const parts = marked(readContent(message['content'], `${path}.content`), message, path)
    const last = this.#turns.at(-1)
    if (last?.role === 'user') last.parts.push(...parts)
    else this.#turns.push({ role: 'user', path, results: [], parts })
  }

  #assistant(message: JsonObject, path: string): void {
    this.#open?.close()
    this.#open = undefined
    const turn = readAssistant(message, path)
    turn.parts = marked(turn.parts, message, path)
    // Providers refuse a turn with neither text nor calls.
    if (turn.parts.length === 0 && turn.calls.length === 0) return
    const last = this.#turns.at(-1)
    if (last?.role === 'assistant') append(last, turn)
    else this.#turns.push(turn)
    if (turn.calls.length === 0) return
    // Results go directly after the calls, whatever the client put between them.
    const user: UserTurn = { role: 'user', path, results: [], parts: [] }
    this.#turns.push(user)
    this.#open = new OpenCalls(turn.calls, path, user.results)
  }

  #tool(message: JsonObject, path: string): void {
    const id = requireString(message['tool_call_id'], `${path}.tool_call_id`)
    optionalString(message['name'], `${path}.name`)
    const result = {
      parts: readContent(message['content'], `${path}.content`),
      cacheControl: readCacheControl(message['cache_control'], path),
      path,
    }
    if (!this.#open) {
      throw invalidField(`${path}.tool_call_id`, 'answers no tool call')
    }
    this.#open.addResult(id, result)
  }
}

/** Providers want the user to speak first, and to say something. */
const assistantFirst = '(The assistant begins the conversation.)'
const noText = '(No text.)'

function userTurn(path: string, text: string): UserTurn {
  return { role: 'user', path, results: [], parts: [wordsOf(path, text)] }
}

function wordsOf(path: string, text: string): TextPart {
  return { type: 'text', text, path, cacheControl: undefined }
}

function append(turn: AssistantTurn, next: AssistantTurn): void {
  const length = turn.parts.reduce((sum, part) => sum + part.text.length, 0)
  for (const detail of next.reasoning)
    turn.reasoning.push({ ...detail, textBefore: detail.textBefore + length })
  turn.parts.push(...next.parts)
  turn.calls.push(...next.calls)
}

/** A cache mark on the whole message means one on its last part. */
function marked<AnyPart extends Part>(parts: AnyPart[], message: JsonObject, path: string): AnyPart[] {
  const cacheControl = readCacheControl(message['cache_control'], path)
  const last = parts.at(-1)
  if (cacheControl && last) last.cacheControl = cacheControl
  return parts
}
