import { invalid } from '#kernel/errors'
import { optionalText, requireObject, requireText } from '../../providers/chat/json.ts'
import { isAbsent, textOf } from '../../providers/json.ts'
import type { JsonObject } from '../../providers/json.ts'
import { toContent } from './parts.ts'
import { unseal } from './seal.ts'
import { groupName, wireName } from './targets.ts'

/** Chat messages, and for each of them the place it comes from: faults of the provider name that one. */
export interface Messages {
  readonly list: JsonObject[]
  readonly origins: string[]
}

const roles = new Map([
  ['user', 'user'],
  ['system', 'system'],
  // The same to every provider, and only some servers know the newer word.
  ['developer', 'system'],
])

/** Instructions and input items as chat messages. What a model said in one go is one message again. */
export function toMessages(body: JsonObject, provider: string, dropped: Set<string>): Messages {
  const reader = new ItemReader(provider, dropped)
  const instructions = optionalText(body['instructions'], 'instructions')
  if (instructions !== undefined && instructions !== '') {
    reader.add({ role: 'system', content: instructions }, 'instructions')
  }
  const { input } = body
  if (typeof input === 'string') reader.add({ role: 'user', content: input }, 'input')
  else if (!Array.isArray(input)) {
    throw invalid('input is required and must be a text or a list of items.', 'input')
  } else {
    for (const [index, item] of input.entries()) {
      reader.read(requireObject(item, `input[${index}]`), `input[${index}]`)
    }
  }
  return reader.finish()
}

/** What the model said since somebody else last spoke. */
interface Turn {
  readonly origin: string
  readonly parts: JsonObject[]
  readonly calls: JsonObject[]
  readonly details: JsonObject[]
  readonly extras: Map<string, JsonObject>
}

class ItemReader {
  readonly #list: JsonObject[] = []
  readonly #origins: string[] = []
  readonly #provider: string
  readonly #dropped: Set<string>
  #turn: Turn | undefined

  constructor(provider: string, dropped: Set<string>) {
    this.#provider = provider
    this.#dropped = dropped
  }

  add(message: JsonObject, origin: string): void {
    this.#closeTurn()
    this.#list.push(message)
    this.#origins.push(origin)
  }

  read(item: JsonObject, path: string): void {
    const type: unknown = item['type'] ?? (isAbsent(item['role']) ? undefined : 'message')
    switch (type) {
      case 'message':
        return this.#message(item, path)
      case 'function_call':
        return this.#call(item, path, requireText(item['arguments'], `${path}.arguments`))
      case 'custom_tool_call': {
        const input = requireText(item['input'], `${path}.input`)
        return this.#call(item, path, JSON.stringify({ input }))
      }
      case 'function_call_output':
      case 'custom_tool_call_output': {
        const id = requireText(item['call_id'], `${path}.call_id`)
        const content = toContent(item['output'], `${path}.output`, true)
        return this.add({ role: 'tool', tool_call_id: id, content }, path)
      }
      case 'reasoning':
        return this.#reasoning(item, path)
      case 'image_generation_call':
        // Chat completions have no place for an image that the model made itself.
        this.#dropped.add('input.image_generation_call')
        return undefined
      case 'item_reference':
        throw invalid(
          `${path} refers to an item that was to be stored, but nothing is stored for this model: send the item itself (with store: false clients do).`,
          `${path}.type`,
        )
      default:
        throw invalid(`${path}.type is not a type of item that this model takes.`, `${path}.type`)
    }
  }

  finish(): Messages {
    this.#closeTurn()
    if (this.#list.length === 0) throw invalid('input must not be empty.', 'input')
    return { list: this.#list, origins: this.#origins }
  }

  #message(item: JsonObject, path: string): void {
    const content = toContent(item['content'], `${path}.content`)
    if (item['role'] === 'assistant') {
      const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
      this.#openTurn(path).parts.push(...parts)
      return
    }
    const role = typeof item['role'] === 'string' ? roles.get(item['role']) : undefined
    if (role === undefined) {
      throw invalid(`${path}.role must be system, developer, user or assistant.`, `${path}.role`)
    }
    this.add({ role, content }, path)
  }

  #call(item: JsonObject, path: string, args: string): void {
    const id = requireText(item['call_id'], `${path}.call_id`)
    const own = requireText(item['name'], `${path}.name`)
    const name = wireName({ name: own, ...groupName(item['namespace']) })
    this.#openTurn(path).calls.push({ id, type: 'function', function: { name, arguments: args } })
  }

  #reasoning(item: JsonObject, path: string): void {
    const sealed = unseal(item['encrypted_content'])
    if (sealed?.provider !== this.#provider) {
      // Reasoning of another provider, or without its seal, means nothing to this one.
      this.#dropped.add('input.reasoning')
      return
    }
    const turn = this.#openTurn(path)
    turn.details.push(...sealed.details)
    for (const [id, extra] of sealed.extras) turn.extras.set(id, extra)
  }

  #openTurn(origin: string): Turn {
    this.#turn ??= { origin, parts: [], calls: [], details: [], extras: new Map() }
    return this.#turn
  }

  #closeTurn(): void {
    const turn = this.#turn
    this.#turn = undefined
    if (turn && (turn.parts.length > 0 || turn.calls.length > 0)) {
      this.#list.push(assistantMessage(turn))
      this.#origins.push(turn.origin)
    }
  }
}

function assistantMessage({ parts, calls, details, extras }: Turn): JsonObject {
  const [first, ...more] = parts
  const signed = calls.map((call) => {
    const extra = extras.get(textOf(call['id']))
    return extra ? { ...call, extra_content: extra } : call
  })
  return {
    role: 'assistant',
    content: first ? (more.length === 0 ? first['text'] : parts) : null,
    ...(signed.length > 0 ? { tool_calls: signed } : {}),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
  }
}
