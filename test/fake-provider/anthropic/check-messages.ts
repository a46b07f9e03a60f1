import { isObject, arrayOf, objectOf, objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { refuse } from './fault.ts'
import type { ClaudeModel } from './models.ts'
import { signatureFault, turnsOf } from './signature.ts'
import type { SignedTurn } from './signature.ts'

const blockFields: Record<string, string[]> = {
  text: ['text', 'citations'],
  image: ['source'],
  document: ['source', 'title', 'context', 'citations'],
  search_result: ['source', 'title', 'content', 'citations'],
  tool_result: ['tool_use_id', 'content', 'is_error'],
  tool_use: ['id', 'name', 'input', 'caller'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
  server_tool_use: ['id', 'name', 'input', 'caller'],
  web_search_tool_result: ['tool_use_id', 'content', 'caller'],
}
const userBlocks = ['text', 'image', 'document', 'search_result', 'tool_result']
const assistantBlocks = Object.keys(blockFields).filter(
  (type) => type === 'text' || type === 'document' || !userBlocks.includes(type),
)
const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

export function checkMessages(body: JsonObject, model: ClaudeModel, bindingDropped: boolean): void {
  if (!Array.isArray(body['messages'])) {
    refuse(`messages: ${body['messages'] === undefined ? 'Field required' : 'Input should be a valid list'}`)
  }
  if (body['messages'].length === 0) refuse('messages: at least one message is required')
  for (const [index, message] of body['messages'].entries()) checkMessage(message, index, model)
  const turns = turnsOf(body['messages'])
  if (turns[0]?.role !== 'user') refuse('messages: first message must use the "user" role')
  checkToolTurns(turns)
  checkEnd(turns, model)
  for (const [place, turn] of turns.entries()) {
    if (turn.role === 'assistant') checkThinking(body, turns.slice(0, place), turn, model, bindingDropped)
  }
}

function checkMessage(message: unknown, index: number, model: ClaudeModel): void {
  const at = `messages.${index}`
  if (!isObject(message)) refuse(`${at}: Input should be a valid dictionary`)
  const { role, content } = message
  if (role === 'system' && !model.laterSystem) {
    refuse(
      'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
    )
  }
  if (role !== 'user' && role !== 'assistant' && role !== 'system') {
    refuse(`messages: Unexpected role "${String(role)}". Allowed roles are "user" or "assistant"`)
  }
  for (const key of Object.keys(message)) {
    if (key !== 'role' && key !== 'content') refuse(`${at}.${key}: Extra inputs are not permitted`)
  }
  if (typeof content === 'string') {
    if (content === '') {
      refuse(
        `${at}: all messages must have non-empty content except for the optional final assistant message`,
      )
    }
    if (content.trim() === '') refuse('messages: text content blocks must contain non-whitespace text')
    return
  }
  if (!Array.isArray(content)) refuse(`${at}.content: Input should be a valid list`)
  if (content.length === 0) {
    refuse(`${at}: all messages must have non-empty content except for the optional final assistant message`)
  }
  const allowed = role === 'assistant' ? assistantBlocks : role === 'system' ? ['text'] : userBlocks
  for (const [place, block] of content.entries()) {
    checkBlock(`${at}.content.${place}`, objectOf(block), allowed)
  }
}

function checkBlock(at: string, block: JsonObject, allowed: string[]): void {
  const type = stringOf(block['type'])
  if (!allowed.includes(type)) {
    refuse(
      `${at}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${allowed.map((tag) => `'${tag}'`).join(', ')}`,
    )
  }
  for (const key of Object.keys(block)) {
    if (key === 'type' || key === 'cache_control' || blockFields[type]?.includes(key)) continue
    refuse(`${at}.${type}.${key}: Extra inputs are not permitted`)
  }
  if (type === 'text') {
    if (typeof block['text'] !== 'string') refuse(`${at}.text.text: Input should be a valid string`)
    if (block['text'] === '') refuse('messages: text content blocks must be non-empty')
    if (block['text'].trim() === '') refuse('messages: text content blocks must contain non-whitespace text')
  }
  if (type === 'image') checkImage(at, objectOf(block['source']))
  if (type === 'tool_use') {
    if (!/^[a-zA-Z0-9_-]+$/.test(stringOf(block['id']))) {
      refuse(`${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`)
    }
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(stringOf(block['name']))) {
      refuse(`${at}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
    }
    if (!isObject(block['input'])) refuse(`${at}.tool_use.input: Input should be a valid dictionary`)
  }
  if (type === 'tool_result' && Array.isArray(block['content'])) {
    for (const [place, part] of block['content'].entries()) {
      checkBlock(`${at}.tool_result.content.${place}`, objectOf(part), [
        'text',
        'image',
        'document',
        'search_result',
      ])
    }
  }
  if (type === 'thinking' && typeof block['signature'] !== 'string') {
    refuse(`${at}.thinking.signature: Field required`)
  }
}

function checkImage(at: string, source: JsonObject): void {
  const type = stringOf(source['type'])
  if (!['base64', 'url', 'file'].includes(type)) {
    refuse(
      `${at}.image.source: Input tag '${type}' found using 'type' does not match any of the expected tags: 'base64', 'url', 'file'`,
    )
  }
  if (type === 'url' && !stringOf(source['url']).startsWith('https://')) {
    refuse(`${at}.image.source.url.url: Only HTTPS URLs are supported.`)
  }
  if (type !== 'base64') return
  if (!imageTypes.includes(stringOf(source['media_type']))) {
    refuse(
      `${at}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
    )
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(stringOf(source['data']))) {
    refuse(`${at}.image.source.base64.data: Input should be a valid base64 string`)
  }
}

function checkToolTurns(turns: SignedTurn[]): void {
  for (const [place, turn] of turns.entries()) {
    const before = turns[place - 1]
    const after = turns[place + 1]
    const asked = new Set(idsOf(before?.role === 'assistant' ? before : undefined, 'tool_use', 'id'))
    const seen = new Set<string>()
    for (const id of idsOf(turn, 'tool_result', 'tool_use_id')) {
      if (!asked.has(id)) {
        refuse(
          `messages.${turn.index}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        )
      }
      if (seen.has(id)) {
        refuse(
          `messages.${turn.index}.content: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
        )
      }
      seen.add(id)
    }
    if (turn.role !== 'assistant') continue
    // Results count only while they stand first: a text before them cuts them off.
    const leading = after?.content.findIndex((block) => block['type'] !== 'tool_result') ?? 0
    const results = leading < 0 ? (after?.content ?? []) : (after?.content.slice(0, leading) ?? [])
    const answered = new Set(results.map((block) => stringOf(block['tool_use_id'])))
    const missing = idsOf(turn, 'tool_use', 'id').filter((id) => !answered.has(id))
    if (missing.length > 0) {
      refuse(
        `messages.${turn.index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      )
    }
  }
}

function idsOf(turn: SignedTurn | undefined, type: string, field: string): string[] {
  return objectsOf(turn?.content)
    .filter((block) => block['type'] === type)
    .map((block) => stringOf(block[field]))
}

function checkEnd(turns: SignedTurn[], model: ClaudeModel): void {
  const last = turns.at(-1)
  if (last?.role !== 'assistant') return
  if (!model.prefill) {
    refuse(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    )
  }
  const text = stringOf(last.content.at(-1)?.['text'])
  if (text !== text.trimEnd()) refuse('messages: final assistant content cannot end with trailing whitespace')
}

function checkThinking(
  body: JsonObject,
  before: SignedTurn[],
  turn: SignedTurn,
  model: ClaudeModel,
  bindingDropped: boolean,
): void {
  const types = turn.content.map((block) => stringOf(block['type']))
  const first = types.findIndex((type) => type.includes('thinking'))
  if (first > 0 && !types.slice(0, first).some((type) => type.includes('tool_use'))) {
    refuse(
      `messages.${turn.index}.content.0: If an assistant message contains any thinking blocks, the first block must be \`thinking\` or \`redacted_thinking\`. Found \`${types[0]}\`.`,
    )
  }
  const budget = objectOf(body['thinking'])['type'] === 'enabled'
  const inToolLoop =
    before.length === arrayOf(turnsOf(body['messages'])).length - 2 && types.includes('tool_use')
  if (budget && inToolLoop && first !== 0) {
    refuse(
      `messages.${turn.index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${types[0]}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
    )
  }
  for (const [place, block] of turn.content.entries()) {
    if (types[place] !== 'thinking' && types[place] !== 'redacted_thinking') continue
    const wrong = signatureFault(body, before, block, model.bound && !bindingDropped)
    if (wrong !== undefined) refuse(`messages.${turn.index}.content.${place}: ${wrong}`)
  }
}
