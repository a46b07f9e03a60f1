import { digest, seal, unseal } from '../identifiers.ts'
import { isObject, arrayOf, objectOf, objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'

interface Binding {
  model: string
  thinking: string
  system: string
  tools: string
  messages: string
}

export interface SignedTurn {
  role: string
  content: JsonObject[]
  /** The position in the request of the turn, or of the first of those merged into it. */
  index: number
}

/** Turns as the API sees them: text as blocks, neighbours of the same role merged. */
export function turnsOf(messages: unknown): SignedTurn[] {
  const turns: SignedTurn[] = []
  for (const [index, message] of objectsOf(messages).entries()) {
    const role = stringOf(message['role'])
    const content = blocksOf(message['content'])
    const last = turns.at(-1)
    if (last?.role === role && role !== 'system') last.content.push(...content)
    else turns.push({ role, content: [...content], index })
  }
  return turns
}

function blocksOf(content: unknown): JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
}

/** The signature of a thinking block that answers the given request. */
export function sign(body: JsonObject, thinking: string): string {
  return seal(bind(body, turnsOf(body['messages']), thinking))
}

/** What is wrong with a signed block that stands after the given turns; undefined when nothing is. */
export function signatureFault(
  body: JsonObject,
  before: SignedTurn[],
  block: JsonObject,
  bound: boolean,
): string | undefined {
  const signature = stringOf(block['type'] === 'thinking' ? block['signature'] : block['data'])
  const held = objectOf(unseal(signature))
  const kind = `Invalid \`signature\` in \`${stringOf(block['type'])}\` block`
  if (held['model'] === undefined) return kind
  const now = bind(body, before, stringOf(block['thinking']))
  if (held['thinking'] !== now.thinking) {
    return '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.'
  }
  if (!bound) return undefined
  if (held['model'] !== now.model) return `${kind}. The block is bound to a different model.`
  const advice =
    'The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block". That setting requires the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` header.'
  const names = { system: '`system` prompt', tools: '`tools`', messages: '`messages`' } as const
  for (const part of ['system', 'tools', 'messages'] as const) {
    if (held[part] === now[part]) continue
    return `${kind}. ${advice} The ${names[part]} before it differs from the one this block was created with.`
  }
  return undefined
}

function bind(body: JsonObject, before: SignedTurn[], thinking: string): Binding {
  const said = before.map((turn) => ({
    role: turn.role,
    content: turn.content.filter((block) => !stringOf(block['type']).includes('thinking')),
  }))
  return {
    model: stringOf(body['model']),
    thinking: digest(thinking),
    system: digest(JSON.stringify(withoutCacheControl(blocksOf(body['system'])))),
    tools: digest(JSON.stringify(withoutCacheControl(arrayOf(body['tools'])))),
    messages: digest(JSON.stringify(withoutCacheControl(said))),
  }
}

/** Cache marks move from turn to turn and are no part of what was said. */
function withoutCacheControl(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCacheControl)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'cache_control')
      .map(([key, item]) => [key, withoutCacheControl(item)]),
  )
}
