import type { LineReader, MessageChange, Source } from '../assistant.ts'
import { calledBefore, callOf } from '../calls.ts'
import { countOf, dateOf, defined, isObject, objectOf, stringOf, type JsonObject } from '../json.ts'
import { recordReader, remember, savedState } from '../record-reader.ts'
import { readAssistantMessage, readToolResult, readUserMessage } from './messages.ts'
import type { CopilotState, EventContext } from './context.ts'

/** Events that repeat others, or report the program's state. */
const silent =
  /^(?:assistant\.(?:turn_start|turn_end|intent|usage|streaming_delta|message_delta|message_start|reasoning_delta|idle)|system\.message|session\.(?:shutdown|idle|info|usage_info|usage_checkpoint|mode_changed|plan_changed|truncation|compaction_start|background_tasks_changed|tools_updated|skills_loaded|custom_agents_updated|mcp_server\w*|extensions_loaded|remote_steerable_changed|workspace_file_changed|permissions_changed|autopilot\w*|todos_changed|task_complete|snapshot_rewind)|subagent\.(?:selected|deselected|configured|completed|failed)|permission\.\w+|hook\.\w+|pending_messages\.\w+|tool\.execution_(?:progress|partial_result)|external_tool\.\w+|command\.\w+|commands\.\w+|capabilities\.\w+|elicitation\.\w+|user_input\.\w+|mcp\.\w+|sampling\.\w+|auto_mode_switch\.\w+|exit_plan_mode\.\w+)$/

export function openEvents(source: Source, saved: unknown): LineReader {
  const mainKey = source.sessionKey ?? ''
  const state = savedState<CopilotState>(saved, { lastOf: {}, reported: {}, calls: {}, editOf: {} })
  return recordReader(
    () => mainKey,
    state,
    (event, changes) => {
      const agent = stringOf(event['agentId'])
      const sessionKey = agent ?? mainKey
      const id = stringOf(event['id']) ?? `event:${changes.position}`
      const emit = (message: Omit<MessageChange, 'order'>) => {
        const base = defined<Partial<MessageChange>>({
          parentKey: state.lastOf[sessionKey],
          createdAt: dateOf(event['timestamp']),
          isSidechain: agent === undefined ? undefined : true,
        })
        changes.message(sessionKey, { ...base, ...message })
        remember(state.lastOf, sessionKey, message.key, 50)
      }
      const data = objectOf(event['data'])
      const context = { sessionKey, isSubagent: agent !== undefined, state, changes, id, data, emit }
      readEvent(context, stringOf(event['type']) ?? 'without type', mainKey, dateOf(event['timestamp']))
      // Also an event that shows nothing says whose it is: those of a deleted subagent are not kept.
      if (agent !== undefined && changes.list.length === 0)
        changes.list.push({ kind: 'session', sessionKey, patch: {} })
    },
  )
}

function readEvent(context: EventContext, type: string, mainKey: string, at: Date | undefined): void {
  const { changes, sessionKey, data } = context
  if (silent.test(type)) return
  if (type === 'session.start' || type === 'session.resume' || type === 'session.context_changed')
    readSession(context, type)
  else if (type === 'user.message') readUserMessage(context)
  else if (type === 'assistant.message') readAssistantMessage(context)
  else if (type === 'assistant.reasoning') emitText(context, 'thinking', stringOf(data['content']))
  else if (type === 'tool.execution_start') readCall(context)
  else if (type === 'tool.execution_complete') readToolResult(context)
  else if (type === 'session.usage_record') readUsage(context, mainKey, at)
  else if (type === 'subagent.started') readSubagent(context, mainKey)
  else if (type === 'session.title_changed' || type === 'session.name_changed') {
    const text = stringOf(data['title']) ?? stringOf(data['name'])
    if (text !== undefined) changes.session(sessionKey, { title: { text, source: 'generated' } })
  } else if (type === 'session.compaction_complete')
    emitNotice(context, 'summary', stringOf(data['summaryContent']) ?? 'Conversation compacted')
  else if (type === 'session.binary_asset') readAsset(context)
  else if (type === 'session.error' || type === 'session.warning')
    emitNotice(context, 'text', stringOf(data['message']) ?? type, type === 'session.error')
  else if (type === 'abort')
    emitNotice(context, 'text', `Aborted: ${stringOf(data['reason']) ?? 'by the user'}`)
  else if (type === 'system.notification' || type === 'skill.invoked')
    emitNotice(context, 'text', stringOf(data['content']) ?? type)
  else if (type !== 'session.model_change') changes.unknown(sessionKey, `event of type ${type}`)
}

function readSession({ changes, sessionKey, data }: EventContext, type: string): void {
  const place = isObject(data['context']) ? data['context'] : data
  changes.session(
    sessionKey,
    defined({
      // A session that is resumed elsewhere stays with its project.
      project: type === 'session.start' ? stringOf(place['cwd']) : undefined,
      gitBranch: stringOf(place['branch']),
      version: stringOf(data['copilotVersion']),
      startedAt: dateOf(data['startTime']),
      forkedFrom:
        stringOf(data['forkedFromSessionId']) ??
        stringOf(objectOf(data['forkedFrom'])['sessionId']) ??
        stringOf(data['parentSessionId']),
    }),
  )
}

function readSubagent({ changes, sessionKey, data, isSubagent, state }: EventContext, mainKey: string): void {
  if (!isSubagent) return
  const call = stringOf(data['toolCallId'])
  const name = stringOf(data['agentDescription']) ?? stringOf(data['agentDisplayName'])
  changes.session(
    sessionKey,
    defined({
      parentKey: mainKey,
      parentCallKey: call === undefined ? undefined : calledBefore(state.calls, call, mainKey),
      title: name === undefined ? undefined : { text: name, source: 'generated' as const },
    }),
  )
}

/** A session of Copilot has one file with its subagents, and counts their tokens as its own. */
function readUsage({ changes, data, id }: EventContext, mainKey: string, at: Date | undefined): void {
  const usage = objectOf(data['usage'])
  const tokens = {
    input: countOf(usage['inputTokens']),
    cached: countOf(usage['cacheReadTokens']),
    cacheWrite: countOf(usage['cacheWriteTokens']),
    output: countOf(usage['outputTokens']),
  }
  changes.usage(mainKey, id, stringOf(usage['model']), tokens, at)
}

function readCall({ data, emit, id, state, sessionKey }: EventContext): void {
  const ownId = stringOf(data['toolCallId']) ?? id
  const isReported = state.reported[ownId] === true
  const call = isReported
    ? calledBefore(state.calls, ownId, sessionKey)
    : callOf(state.calls, ownId, id, sessionKey)
  const input = objectOf(data['arguments'])
  const toolName = stringOf(data['toolName']) ?? 'unknown'
  const file = stringOf(input['path']) ?? patchedFile(input)
  if (file !== undefined && ['edit', 'create', 'str_replace_editor', 'apply_patch'].includes(toolName))
    remember(state.editOf, call, file, 50)
  if (isReported) return
  emit({
    ...defined<{ model: string }>({ model: stringOf(data['model']) }),
    key: `call:${call}`,
    role: 'assistant',
    kind: 'tool_call',
    toolName,
    toolInput: data['arguments'] ?? {},
    toolCallKey: call,
  })
}

function patchedFile(input: JsonObject): string | undefined {
  const patch = stringOf(input['input']) ?? stringOf(input['patch']) ?? ''
  return /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(patch)?.[1]?.trim()
}

/** The bytes that a later result refers to by their hash. */
function readAsset({ data, emit, id }: EventContext): void {
  const bytes = stringOf(data['data'])
  if (bytes === undefined) return
  emit({
    ...defined<{ content: string }>({ content: stringOf(data['description']) }),
    key: stringOf(data['assetId']) ?? id,
    role: 'tool',
    kind: 'image',
    image: { mime: stringOf(data['mimeType']) ?? null, data: bytes },
  })
}

function emitText({ emit, id }: EventContext, kind: 'thinking', content: string | undefined): void {
  if (content !== undefined) emit({ key: id, role: 'assistant', kind, content })
}

function emitNotice(
  { emit, id }: EventContext,
  kind: 'summary' | 'text',
  content: string,
  isError = false,
): void {
  emit({ key: id, role: 'system', kind, origin: 'injected', content, ...(isError ? { isError } : {}) })
}
