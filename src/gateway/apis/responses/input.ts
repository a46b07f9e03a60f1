import { invalidField } from '#kernel/errors'
import { isAbsent, stringOf, type JsonObject } from '../../wire/json.ts'
import { optionalString, requireObject, requireString } from '../../wire/request-json.ts'
import { unseal } from '../sealed-reasoning.ts'
import { summaryIn, summaryMessage } from './compaction.ts'
import { Conversation, type Messages } from './conversation.ts'
import { toContent } from './parts.ts'
import { groupName, wireName } from './targets.ts'

const roles = new Map([
  ['user', 'user'],
  ['system', 'system'],
  // The same to every provider, and only some servers know the newer word.
  ['developer', 'system'],
])

/** Instructions and input items as chat messages. */
export function toMessages(body: JsonObject, provider: string, dropped: Set<string>): Messages {
  const conversation = new Conversation()
  const instructions = optionalString(body['instructions'], 'instructions')
  if (instructions !== undefined && instructions !== '') {
    conversation.add({ role: 'system', content: instructions }, 'instructions')
  }
  const { input } = body
  if (typeof input === 'string') conversation.add({ role: 'user', content: input }, 'input')
  else if (Array.isArray(input) && input.length > 0) {
    for (const [index, item] of input.entries()) {
      const path = `input[${index}]`
      readItem(requireObject(item, path), path, { conversation, provider, dropped })
    }
  } else throw invalidField('input', 'is required and must be a string or an array with at least one item')
  return conversation.finish()
}

interface Context {
  conversation: Conversation
  provider: string
  dropped: Set<string>
}

function readItem(item: JsonObject, path: string, context: Context): void {
  const { conversation, dropped } = context
  const type: unknown = item['type'] ?? (isAbsent(item['role']) ? undefined : 'message')
  switch (type) {
    case 'message':
      return readMessage(item, path, conversation)
    case 'function_call':
      return readCall(item, path, requireString(item['arguments'], `${path}.arguments`), conversation)
    case 'custom_tool_call': {
      const input = requireString(item['input'], `${path}.input`)
      return readCall(item, path, JSON.stringify({ input }), conversation)
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const id = requireString(item['call_id'], `${path}.call_id`)
      return conversation.addResult(id, toContent(item['output'], `${path}.output`), path)
    }
    case 'reasoning':
      return readReasoning(item, path, context)
    case 'compaction':
      return readCompaction(item, path, conversation)
    case 'additional_tools':
      // Read with the tools: chat completions offer theirs once for the whole conversation.
      return undefined
    case 'image_generation_call':
      // Chat completions have no place for an image that the model made itself.
      return void dropped.add('input.image_generation_call')
    case 'item_reference':
      // Reasoning can be gone on without, as where it lost its seal; anything else cannot.
      if (stringOf(item['id']).startsWith('rs_')) return void dropped.add('input.reasoning')
      throw invalidField(
        `${path}.type`,
        'refers to a stored item, but nothing is stored for this model: send the item itself (clients do with store: false)',
      )
    default:
      throw invalidField(`${path}.type`, 'is not an item type that this model takes')
  }
}

function readMessage(item: JsonObject, path: string, conversation: Conversation): void {
  const content = toContent(item['content'], `${path}.content`)
  if (item['role'] === 'assistant') {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const turn = conversation.turn(path)
    for (const part of parts) turn.parts.push(part)
    return
  }
  const role = typeof item['role'] === 'string' ? roles.get(item['role']) : undefined
  if (role === undefined) {
    throw invalidField(`${path}.role`, 'must be system, developer, user or assistant')
  }
  conversation.add({ role, content }, path)
}

/** Without it the model would know nothing of what came before, so one that cannot be read is refused. */
function readCompaction(item: JsonObject, path: string, conversation: Conversation): void {
  const summary = summaryIn(item)
  if (summary === undefined)
    throw invalidField(
      `${path}.encrypted_content`,
      'was made by another provider and can only be read there: compact the conversation with this model',
    )
  conversation.add(summaryMessage(summary), path)
}

function readCall(item: JsonObject, path: string, args: string, conversation: Conversation): void {
  const id = requireString(item['call_id'], `${path}.call_id`)
  const own = requireString(item['name'], `${path}.name`)
  const name = wireName({ name: own, ...groupName(item['namespace']) })
  conversation.turn(path).calls.push({ id, type: 'function', function: { name, arguments: args } })
}

function readReasoning(item: JsonObject, path: string, { conversation, provider, dropped }: Context): void {
  const kept = unseal(item['encrypted_content'], provider)
  if (!kept) {
    // Reasoning of another provider, or without its seal, means nothing to this one.
    dropped.add('input.reasoning')
    return
  }
  const turn = conversation.turn(path)
  for (const detail of kept.details) turn.details.push(detail)
  for (const [id, extra] of kept.extras) turn.extras.set(id, extra)
}
