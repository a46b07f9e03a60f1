import type { MessageOrigin } from '../assistant.ts'
import { between } from '../between.ts'
import { calledBefore } from '../calls.ts'
import { defined, isObject, objectOf, objectsOf, stringOf, type JsonObject } from '../json.ts'
import { outputKey } from './side-files.ts'
import type { RecordContext } from './context.ts'

/** How texts begin that the program writes in the user's name. */
const injectedStart =
  /^(?:This session is being continued|\[Request interrupted|Stop hook feedback:|<task-notification>|<local-command-|<system-reminder>|<bash-stdout>|<bash-stderr>|Caveat: The messages below)/
/** Tags of an editor, glued in front of a prompt. */
const editorTag = /^\s*<(ide_[a-z_]+)>[\s\S]*?<\/\1>\s*/
const command = /<command-name>([^<]*)<\/command-name>/
const commandArguments = /<command-args>/
const bashInput = /^\s*<bash-input>([\s\S]*?)<\/bash-input>/

export function readUser(context: RecordContext): void {
  const { record, changes, emit } = context
  const { content } = objectOf(record['message'])
  const key = stringOf(record['uuid']) ?? `user:${changes.position}`
  if (record['isCompactSummary'] === true) {
    emit({ key, role: 'system', kind: 'summary', origin: 'injected', content: joinedText(content) })
    return
  }
  if (typeof content === 'string') {
    emitUserText(context, key, content)
    return
  }
  objectsOf(content).forEach((block, index) => readBlock(context, block, `${key}/${index}`))
}

export function readAttachment(context: RecordContext): void {
  const { record, changes } = context
  const attachment = objectOf(record['attachment'])
  if (attachment['type'] !== 'queued_command') return
  const key = stringOf(record['uuid']) ?? `queued:${changes.position}`
  const { prompt } = attachment
  if (typeof prompt === 'string') emitUserText(context, key, prompt, originOf(attachment))
  else
    objectsOf(prompt).forEach((block, index) =>
      readBlock(context, block, `${key}/${index}`, originOf(attachment)),
    )
}

function readBlock(context: RecordContext, block: JsonObject, key: string, known?: MessageOrigin): void {
  const type = stringOf(block['type']) ?? ''
  if (type === 'text') emitUserText(context, key, stringOf(block['text']) ?? '', known)
  else if (type === 'tool_result') emitResult(context, block)
  else if (type === 'image' || type === 'document') emitImage(context, block, key)
  else context.changes.unknown(context.sessionKey, `block of type ${type}`)
}

/** A text in the user's name: what a person typed, or what was put there. */
export function emitUserText(context: RecordContext, key: string, text: string, known?: MessageOrigin): void {
  const { emit } = context
  const editor = editorTag.exec(text)?.[0]
  if (editor !== undefined && editor.length < text.length) {
    emit({ key: `${key}/editor`, role: 'system', kind: 'text', origin: 'injected', content: editor.trim() })
    emitUserText(context, key, text.slice(editor.length), known)
    return
  }
  const content = typedText(text)
  if (content === '') return
  const injected = injectedStart.test(content) || editor !== undefined
  const origin = injected ? 'injected' : (known ?? originOf(context.record) ?? fallbackOrigin(context))
  const role = origin === 'human' || context.isSubagent || isSidechain(context) ? 'user' : 'system'
  emit({ key, role, kind: 'text', origin, content })
}

function typedText(text: string): string {
  const name = command.exec(text)?.[1]?.trim()
  if (name !== undefined && name !== '') {
    const args = between(text, commandArguments, '</command-args>')?.trim() ?? ''
    return `${name.startsWith('/') ? name : `/${name}`} ${args}`.trim()
  }
  const shell = bashInput.exec(text)?.[1]
  return shell === undefined ? text : `! ${shell}`
}

function originOf(record: JsonObject): MessageOrigin | undefined {
  if (record['isMeta'] === true) return 'injected'
  const kind = stringOf(objectOf(record['origin'])['kind'])
  if (kind !== undefined) return kind === 'human' ? 'human' : 'injected'
  const source = stringOf(record['promptSource'])
  if (source !== undefined) return ['typed', 'queued', 'sdk'].includes(source) ? 'human' : 'injected'
  return undefined
}

/** Older versions do not say who wrote a prompt; a subagent's prompts are written by its parent. */
function fallbackOrigin(context: RecordContext): MessageOrigin {
  return context.isSubagent || isSidechain(context) ? 'injected' : 'human'
}

function isSidechain({ record }: RecordContext): boolean {
  return record['isSidechain'] === true
}

function emitImage({ emit }: RecordContext, block: JsonObject, key: string, callKey?: string): void {
  const source = objectOf(block['source'])
  const data = stringOf(source['data']) ?? stringOf(source['url'])
  if (data === undefined) return
  emit({
    key,
    role: callKey === undefined ? 'user' : 'tool',
    kind: 'image',
    image: { mime: stringOf(source['media_type']) ?? null, data },
    ...(callKey === undefined ? { origin: 'human' } : { toolCallKey: callKey }),
  })
}

function emitResult(context: RecordContext, block: JsonObject): void {
  const { record, emit, changes, sessionKey, state } = context
  const call = calledBefore(state.calls, stringOf(block['tool_use_id']) ?? String(changes.position))
  const details = record['toolUseResult']
  const persisted = isObject(details) ? stringOf(details['persistedOutputPath']) : undefined
  const file = persisted
    ?.split(/[/\\]/)
    .at(-1)
    ?.replace(/\.[^.]+$/, '')
  const isError = block['is_error'] === true
  const text = joinedText(block['content'])
  const stdout = isObject(details) ? stringOf(details['stdout']) : undefined
  emit(
    defined({
      key: file === undefined ? `result:${call}` : outputKey(file),
      role: 'tool' as const,
      kind: 'tool_result' as const,
      content: persisted === undefined ? text : (stdout ?? text),
      isPartial: persisted === undefined ? undefined : true,
      toolCallKey: call,
      isError,
    }),
  )
  objectsOf(block['content'])
    .filter((part) => part['type'] === 'image' || part['type'] === 'document')
    .forEach((part, index) => emitImage(context, part, `result:${call}/image${index}`, call))
  if (isObject(details) && !isError) changes.filesEdited(sessionKey, editedFiles(details))
}

function editedFiles(details: JsonObject): string[] {
  const file = stringOf(details['filePath']) ?? stringOf(details['notebook_path'])
  const isEdit =
    Array.isArray(details['structuredPatch']) || 'oldString' in details || 'new_source' in details
  return file !== undefined && isEdit ? [file] : []
}

/** The text of a content that is a string or blocks. */
function joinedText(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map((part) => stringOf(part['text']) ?? stringOf(part['tool_name']))
    .filter((text) => text !== undefined)
    .join('\n')
}
