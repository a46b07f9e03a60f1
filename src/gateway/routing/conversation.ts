import { createHash } from 'node:crypto'
import { arrayOf, isObject, stringOf, type JsonObject } from '../wire/json.ts'

/** Providers keep prompts from their beginning on: more of it says no more about where it is kept. */
const maxLength = 4_096

/**
 * What requests of one conversation have in common, from which its key is chosen, so that the provider finds the
 * beginning of the prompt in its cache: the client's own word, else how the conversation begins.
 */
export function conversationOf(body: JsonObject, sessionKey: string | null): string {
  const named = sessionKey ?? stringOf(body['prompt_cache_key'])
  if (named !== '') return named
  const said = arrayOf(body['messages'] ?? body['input'])
  const begins = said.slice(0, said.findIndex(isOfUser) + 1)
  const input = stringOf(body['input'])
  return [body['system'], body['instructions'], input, ...begins].map(beginning).join('\n')
}

const isOfUser = (item: unknown): boolean => isObject(item) && item['role'] === 'user'

function beginning(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, maxLength)
  if (!isObject(value) && !Array.isArray(value)) return ''
  const content = isObject(value) ? value['content'] : value
  if (typeof content === 'string') return content.slice(0, maxLength)
  const [first] = arrayOf(content)
  return isObject(first) ? stringOf(first['text']).slice(0, maxLength) : ''
}

/**
 * The place of a key, or of a target, for a conversation: the one with the least has it (weighted rendezvous hashing).
 * No table is kept, every process comes to the same result, and one that leaves moves only its own conversations.
 */
export function placeOf(conversation: string, id: string, weight: number): number {
  const digest = createHash('md5').update(conversation).update(id).digest()
  const share = (digest.readUInt32BE(0) + 1) / (2 ** 32 + 1)
  return -Math.log(share) / Math.max(weight, Number.EPSILON)
}
