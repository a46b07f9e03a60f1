import { calledBefore, callOf } from '../calls.ts'
import { arrayOf, defined, objectOf, objectsOf, stringOf, type JsonObject } from '../json.ts'
import { remember, shortHash } from '../record-reader.ts'
import type { RolloutContext } from './context.ts'
import { between } from '../between.ts'

const silent = new Set(['additional_tools', 'compaction', 'compaction_summary', 'ghost_snapshot', 'other'])
const injectedStart =
  /^\s*(?:<(?:user_instructions|environment_context|permissions instructions|turn_aborted|user_shell_command|skill|subagent_notification|recommended_plugins)\b|# AGENTS\.md|This session is being continued)/

/** How many texts are remembered: one that was said before them has no number. */
const maxTexts = 1_000

const summaryStart = 'Another language model started to solve this problem'

export function readResponseItem(context: RolloutContext, item: JsonObject): void {
  const type = stringOf(item['type']) ?? ''
  if (silent.has(type)) return
  if (type !== 'message' || item['role'] === 'assistant') context.state.isTurnUnderWay = true
  if (type === 'message') readMessage(context, item)
  else if (type === 'reasoning') {
    const content = reasoningText(item)
    if (content !== '')
      context.emit({
        ...modelOf(context),
        key: textKey(context, item, content),
        role: 'assistant',
        kind: 'thinking',
        content,
      })
  } else if (type === 'agent_message') readAgentMessage(context, item)
  else if (type.endsWith('_output')) readOutput(context, item)
  else if (type.endsWith('_call')) readCall(context, item, type)
  else context.changes.unknown(context.sessionKey, `response item of type ${type}`)
}

function readMessage(context: RolloutContext, item: JsonObject): void {
  const { emit } = context
  const parts = objectsOf(item['content'])
  const text = parts.map((part) => stringOf(part['text'])).filter((part) => part !== undefined)
  const key = stringOf(item['id']) ?? contentKey(context, text.join('\n'))
  if (item['role'] === 'assistant') {
    const content = text.join('\n')
    const textOf = { key: textKey(context, item, content), role: 'assistant', kind: 'text', content } as const
    if (content !== '') emit({ ...modelOf(context), ...textOf })
    return
  }
  if (item['role'] === 'user') readUserMessage(context, item, text)
  else if (text[0]?.startsWith('<turn_aborted>') === true)
    emit({ key, role: 'system', kind: 'text', origin: 'injected', content: text.join('\n') })
}

/** The text of a person stands here and in an event: both have the key of their turn and text. */
function readUserMessage(context: RolloutContext, item: JsonObject, texts: string[]): void {
  const passthrough = objectOf(item['internal_chat_message_metadata_passthrough'])
  const kinds = arrayOf(passthrough['content_item_kinds'])
  const [first = ''] = texts
  const isShell = /^\s*<user_shell_command>/.test(first)
  const shell = isShell ? between(first, /<command>/, '</command>')?.trim() : undefined
  if (shell !== undefined) {
    emitHuman(context, `! ${shell}`, stringOf(passthrough['turn_id']))
    return
  }
  // The record of the compaction has this summary too.
  if (first.startsWith(summaryStart)) return
  const isHuman = kinds.length > 0 ? kinds.some((kind) => String(kind).startsWith('user')) : undefined
  const isInjected = isHuman === false || texts.some((text) => injectedStart.test(text))
  const content = texts.filter((text) => !/^<\/?image\b[^>]*>$/.test(text.trim())).join('\n')
  if (isInjected)
    context.emit({
      key: stringOf(item['id']) ?? `injected:${shortHash(content)}`,
      role: 'system',
      kind: 'text',
      origin: 'injected',
      content,
    })
  else if (content !== '') emitHuman(context, content, stringOf(passthrough['turn_id']))
  emitImages(context, item['content'], stringOf(item['id']) ?? imagesKey(context, content))
}

/** Also a text that a person repeats in a later turn is a message of its own. */
export function emitHuman(context: RolloutContext, content: string, turn?: string): void {
  const { state, emit } = context
  if (state.isTurnUnderWay) state.turns++
  state.isTurnUnderWay = false
  const hash = shortHash(content.trim())
  const key = `user:${turn ?? turnOf(context, `user ${hash}`)}:${hash}`
  emit({ key, role: 'user', kind: 'text', origin: 'human', content })
}

/** The text of the model stands in an item and in an event, both with its id, turn and text. */
export function textKey(context: RolloutContext, item: JsonObject, content: string, turn?: string): string {
  const passthrough = objectOf(item['internal_chat_message_metadata_passthrough'])
  const id = stringOf(item['id']) ?? 'text'
  const hash = shortHash(content)
  const of = turn ?? stringOf(passthrough['turn_id']) ?? turnOf(context, `${id} ${hash}`)
  return `${id}/${of}/${hash}`
}

function imagesKey(context: RolloutContext, content: string): string {
  const hash = shortHash(content)
  return context.state.turn === null ? `${turnOf(context, `images ${hash}`)}${hash}` : hash
}

/** Where turns have no ids, only what an earlier turn said too has the number of its turn. */
function turnOf({ state }: RolloutContext, said: string): string {
  if (state.turn !== null) return state.turn
  const key = shortHash(said)
  const first = state.firstTurnOf[key] ?? state.turns
  remember(state.firstTurnOf, key, first, maxTexts)
  return first === state.turns ? '' : `#${state.turns}`
}

/** The task of a subagent, or what one agent says to another; often only encrypted. */
function readAgentMessage(context: RolloutContext, item: JsonObject): void {
  const texts = objectsOf(item['content'])
    .map((part) => stringOf(part['text']))
    .filter((text) => text !== undefined)
  context.emit({
    key: stringOf(item['id']) ?? contentKey(context, 'agent'),
    role: 'user',
    kind: 'text',
    origin: 'injected',
    content: texts.length > 0 ? texts.join('\n') : '(encrypted message between agents)',
  })
}

function readCall(context: RolloutContext, item: JsonObject, type: string): void {
  const { emit, state } = context
  const ownId = stringOf(item['call_id']) ?? stringOf(item['id']) ?? contentKey(context, type)
  const record = stringOf(item['id']) ?? contentKey(context, stringOf(item['arguments']) ?? type)
  const id = callOf(state.calls, ownId, record)
  const namespace = stringOf(item['namespace'])
  const name = stringOf(item['name']) ?? type.replace(/_call$/, '')
  const isPlain = namespace === undefined || namespace === 'functions'
  const toolName = isPlain ? name : `${namespace}.${name}`
  emit({
    ...modelOf(context),
    key: `call:${id}`,
    role: 'assistant',
    kind: 'tool_call',
    toolName,
    toolInput: inputOf(item),
    toolCallKey: id,
  })
}

function inputOf(item: JsonObject): unknown {
  const text = stringOf(item['arguments'])
  if (text === undefined) return item['input'] ?? item['action'] ?? item['arguments'] ?? {}
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function readOutput(context: RolloutContext, item: JsonObject): void {
  const { emit, state } = context
  const ownId = stringOf(item['call_id']) ?? stringOf(item['id']) ?? contentKey(context, 'output')
  const id = calledBefore(state.calls, ownId)
  const content = outputText(item['output'] ?? item['tools'])
  emit(
    defined({
      key: `result:${id}`,
      role: 'tool' as const,
      kind: 'tool_result' as const,
      content,
      isError: failed(content, item['output']),
      toolCallKey: id,
    }),
  )
  emitImages(context, item['output'], `result:${id}`, id)
}

/** Older versions write the output as JSON with its exit code. */
function outputText(output: unknown): string {
  if (typeof output === 'string') {
    if (!output.startsWith('{"output"')) return output
    try {
      return stringOf(objectOf(JSON.parse(output))['output']) ?? output
    } catch {
      return output
    }
  }
  if (Array.isArray(output))
    return objectsOf(output)
      .map((part) => stringOf(part['text']))
      .filter((text) => text !== undefined)
      .join('\n')
  return output === undefined ? '' : JSON.stringify(output)
}

function failed(content: string, output: unknown): boolean | undefined {
  const exit =
    /^(?:Process exited with code|Exit code:?) (-?\d+)/m.exec(content.slice(0, 2000))?.[1] ??
    /"exit_code":(-?\d+)/.exec(typeof output === 'string' ? output.slice(-300) : '')?.[1]
  if (exit !== undefined) return exit !== '0'
  return objectOf(output)['success'] === false ? true : undefined
}

function emitImages({ emit }: RolloutContext, content: unknown, key: string, callKey?: string): void {
  objectsOf(content).forEach((part, index) => {
    const url = stringOf(part['image_url'])
    if (url === undefined) return
    const [, mime = null, data = url] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
    emit({
      key: `${key}/image${index}`,
      role: callKey === undefined ? 'user' : 'tool',
      kind: 'image',
      image: { mime, data },
      ...(callKey === undefined ? { origin: 'human' } : { toolCallKey: callKey }),
    })
  })
}

function reasoningText(item: JsonObject): string {
  return [...objectsOf(item['summary']), ...objectsOf(item['content'])]
    .map((part) => stringOf(part['text']))
    .filter((text) => text !== undefined)
    .join('\n')
}

/** For records without an id: a file that is read again from its start gives the same key. */
export function contentKey({ at }: RolloutContext, content: string): string {
  return `at:${at?.getTime() ?? 0}:${shortHash(content)}`
}

export function modelOf({ state }: RolloutContext): { model?: string } {
  return state.model === null ? {} : { model: state.model }
}
