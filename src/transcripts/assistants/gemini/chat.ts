import type { LineReader, MessageChange, Source } from '../assistant.ts'
import { arrayOf, dateOf, defined, isObject, objectsOf, stringOf, type JsonObject } from '../json.ts'
import { recordReader, shortHash, savedState, type Changes } from '../record-reader.ts'
import { readGeminiMessage } from './model-message.ts'
import { contentImages, contentText, hasFunctionResponse } from '../google-parts.ts'
import type { ChatState, ChatContext } from './context.ts'

/**
 * The file is a log of operations: metadata, messages (an id again is the message with more fields), `$set` of
 * metadata or of all messages, and `$rewindTo`. What an operation drops was said all the same, so it is kept.
 */
export function openChat(source: Source, saved: unknown): LineReader {
  const state = savedState<ChatState>(saved, { sessionKey: source.sessionKey, project: null, calls: {} })
  return recordReader(
    () => state.sessionKey,
    state,
    (record, changes) => {
      if (isObject(record['$set'])) readSet(record['$set'], source, state, changes)
      else if (record['$rewindTo'] !== undefined) return
      else if (stringOf(record['sessionId']) !== undefined) readSet(record, source, state, changes)
      else if (stringOf(record['type']) !== undefined) readMessage(record, source, state, changes)
      else changes.unknown(state.sessionKey, 'a record without type')
    },
  )
}

function readSet(fields: JsonObject, source: Source, state: ChatState, changes: Changes): void {
  state.sessionKey ??= stringOf(fields['sessionId']) ?? null
  if (state.sessionKey === null) {
    changes.unknown(null, 'a change before the session is named')
    return
  }
  const summary = stringOf(fields['summary'])
  const directory = stringOf(arrayOf(fields['directories'])[0])
  if (directory !== undefined) state.project ??= directory
  changes.session(
    state.sessionKey,
    defined({
      project: directory === undefined ? undefined : (state.project ?? undefined),
      startedAt: dateOf(fields['startTime']),
      parentKey: source.parentKey,
      title: summary === undefined ? undefined : { text: summary, source: 'generated' as const },
    }),
  )
  const place = new Place()
  for (const message of objectsOf(fields['messages'])) readMessage(message, source, state, changes, place)
}

function readMessage(
  message: JsonObject,
  source: Source,
  state: ChatState,
  changes: Changes,
  place = new Place(),
): void {
  const { sessionKey } = state
  if (sessionKey === null) {
    changes.unknown(null, 'a message before the session is named')
    return
  }
  const createdAt = dateOf(message['timestamp'])
  const base = defined<Partial<MessageChange>>({
    createdAt,
    isSidechain: source.role === 'subagent' ? true : undefined,
  })
  const context: ChatContext = {
    sessionKey,
    isSubagent: source.role === 'subagent',
    state,
    changes,
    message,
    id: stringOf(message['id']) ?? shortHash(JSON.stringify([message['type'], message['content']])),
    emit: (each) => changes.message(sessionKey, { ...base, ...each }, place.next(createdAt)),
  }
  const type = stringOf(message['type'])
  if (type === 'user') readUser(context)
  else if (type === 'gemini') readGeminiMessage(context, createdAt)
  else if (type === 'info' || type === 'warning' || type === 'error') readNotice(context, type)
  else changes.unknown(sessionKey, `message of type ${String(type)}`)
}

/** A session that is resumed later continues in a second file: only the time orders the messages of both. */
class Place {
  #block = 0

  next(at: Date | undefined): number | undefined {
    return at === undefined ? undefined : at.getTime() + Math.min(this.#block++, 999) / 1000
  }
}

const injectedStart = /^\s*<(?:session_context|hook_context|state_snapshot|system[-_]reminder|compress)/

function readUser(context: ChatContext): void {
  const { message, emit, id, isSubagent, changes, sessionKey, state } = context
  const text = contentText(message['content'])
  const images = contentImages(message['content'])
  // The results of the tools, which the model's message has too.
  if (text === '' && images.length === 0 && hasFunctionResponse(message['content'])) return
  if (text.includes('<session_context>') && state.project === null) {
    state.project = directoryIn(text) ?? null
    if (state.project !== null) changes.session(sessionKey, { project: state.project })
  }
  const isInjected = injectedStart.test(text) || isSubagent || hasFunctionResponse(message['content'])
  const isSummary = /^\s*<state_snapshot>/.test(text)
  const { typed, files } = splitFiles(text)
  const content = isInjected ? text : (stringOf(contentText(message['displayContent'])) ?? typed)
  if (content !== '')
    emit({
      key: id,
      role: isInjected && !isSubagent ? 'system' : 'user',
      kind: isSummary ? 'summary' : 'text',
      origin: isInjected ? 'injected' : 'human',
      content,
    })
  if (!isInjected && files !== '')
    emit({ key: `${id}/files`, role: 'system', kind: 'text', origin: 'injected', content: files })
  images.forEach((image, index) => {
    emit({
      key: `${id}/image${index}`,
      role: 'user',
      kind: 'image',
      origin: isInjected ? 'injected' : 'human',
      image,
    })
  })
}

/** Gemini CLI adds the text of files that a prompt names by `@path` behind it. */
function splitFiles(text: string): { typed: string; files: string } {
  const at = text.indexOf('--- Content from referenced files ---')
  return at === -1
    ? { typed: text, files: '' }
    : { typed: text.slice(0, at).trimEnd(), files: text.slice(at) }
}

function directoryIn(context: string): string | undefined {
  const listed = /Workspace Directories:\*{0,2}[ \t]*\r?\n\s*-[ \t]*(.+)/.exec(context)?.[1]
  return (
    listed ?? /working in the (?:directory|following directories):?\s*(?:-\s*)?(\S.*)/.exec(context)?.[1]
  )?.trim()
}

function readNotice({ message, emit, id }: ChatContext, type: string): void {
  const content = contentText(message['content'])
  const isError = type === 'error' ? { isError: true } : {}
  if (content !== '') emit({ key: id, role: 'system', kind: 'text', origin: 'injected', content, ...isError })
}
