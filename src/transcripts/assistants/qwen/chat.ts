import type { LineReader, MessageChange, Source } from '../assistant.ts'
import { dateOf, defined, objectOf, stringOf } from '../json.ts'
import { contentImages, contentText } from '../google-parts.ts'
import { recordReader, remember, savedState } from '../record-reader.ts'
import { readAssistant, readToolResult } from './turns.ts'
import type { ChatState, ChatContext } from './context.ts'

export function openChat(source: Source, saved: unknown): LineReader {
  const sessionKey = source.sessionKey ?? ''
  const state = savedState<ChatState>(saved, { reported: {}, keyOf: {}, editOf: {}, calls: {} })
  return recordReader(
    () => sessionKey,
    state,
    (record, changes) => {
      const parent = stringOf(record['parentUuid'])
      let last = parent === undefined ? undefined : state.keyOf[parent]
      const id = stringOf(record['uuid']) ?? `record:${changes.position}`
      const emit = (message: Omit<MessageChange, 'order'>) => {
        const base = defined<Partial<MessageChange>>({
          parentKey: last,
          createdAt: dateOf(record['timestamp']),
          isSidechain: source.role === 'subagent' ? true : undefined,
        })
        changes.message(sessionKey, { ...base, ...message })
        last = message.key
      }
      const context = { sessionKey, isSubagent: source.role === 'subagent', state, changes, record, id, emit }
      reportSession(context, source)
      readRecord(context)
      if (last !== undefined) remember(state.keyOf, id, last)
    },
  )
}

function readRecord(context: ChatContext): void {
  const { record, changes, sessionKey } = context
  const type = stringOf(record['type'])
  if (type === 'user') readUser(context)
  else if (type === 'assistant') readAssistant(context)
  else if (type === 'tool_result') readToolResult(context)
  else if (type === 'system') readSystem(context)
  else changes.unknown(sessionKey, `record of type ${String(type)}`)
}

function reportSession({ record, changes, sessionKey, state }: ChatContext, source: Source): void {
  const fields = defined<Record<string, unknown>>({
    project: stringOf(record['cwd']),
    gitBranch: stringOf(record['gitBranch']),
    version: stringOf(record['version']),
    parentKey: source.parentKey,
    forkedFrom: stringOf(objectOf(record['forkedFrom'])['sessionId']),
  })
  const news = Object.entries(fields).filter(([name, value]) =>
    name === 'project' ? state.reported[name] === undefined : state.reported[name] !== value,
  )
  Object.assign(state.reported, Object.fromEntries(news))
  changes.session(sessionKey, Object.fromEntries(news))
}

/** The program writes in the user's name too; `displayText` is what a person typed, without what was added to it. */
function readUser(context: ChatContext): void {
  const { record, emit, id, isSubagent } = context
  const provenance = stringOf(record['provenance'])
  const subtype = stringOf(record['subtype'])
  const message = objectOf(record['message'])
  const text = contentText(message['parts'])
  const isPerson =
    !isSubagent &&
    (provenance === undefined || provenance === 'real_user') &&
    (subtype === undefined || subtype === 'mid_turn_user_message') &&
    !/^\s*<(?:system-reminder|session_context|state_snapshot|task-notification)/.test(text)
  const origin = isPerson ? 'human' : 'injected'
  const content = isPerson ? (stringOf(objectOf(record['systemPayload'])['displayText']) ?? text) : text
  const role = isPerson || isSubagent ? 'user' : 'system'
  if (content !== '') emit({ key: id, role, kind: 'text', origin, content })
  contentImages(message['parts']).forEach((image, index) =>
    emit({ key: `${id}/image${index}`, role: 'user', kind: 'image', origin, image }),
  )
}

/** Subtypes that repeat other records, or hold the program's state. */
const silent =
  /^(?:ui_telemetry|session_\w+|file_history_snapshot|user_text_elements|turn_result|omni_recall|goal_\w+|branch_checkpoint|attribution_snapshot|at_command|background_task_completed|agent_\w+)$/

function readSystem({ record, emit, id, changes, sessionKey }: ChatContext): void {
  const subtype = stringOf(record['subtype']) ?? ''
  const payload = objectOf(record['systemPayload'])
  if (silent.test(subtype)) return
  if (subtype === 'custom_title') {
    const text = stringOf(payload['customTitle'])
    const source = payload['titleSource'] === 'auto' ? 'generated' : 'custom'
    if (text !== undefined) changes.session(sessionKey, { title: { text, source } })
  } else if (subtype === 'parent_session') {
    const parentKey = stringOf(payload['parentSessionId'])
    if (parentKey !== undefined) changes.session(sessionKey, { forkedFrom: parentKey })
  } else if (subtype === 'chat_compression') {
    const content = stringOf(payload['summary']) ?? 'Conversation compacted'
    emit({ key: id, role: 'system', kind: 'summary', origin: 'injected', content })
  } else if (subtype === 'slash_command') {
    const content = stringOf(payload['rawCommand'])
    if (payload['phase'] !== 'result' && content !== undefined)
      emit({ key: id, role: 'user', kind: 'text', origin: 'human', content })
  } else if (subtype === 'rewind')
    emit({ key: id, role: 'system', kind: 'text', origin: 'injected', content: 'Conversation rewound' })
  else changes.unknown(sessionKey, `system record of subtype ${subtype}`)
}
