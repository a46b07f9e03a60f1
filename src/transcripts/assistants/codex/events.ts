import { calledBefore, isCalled } from '../calls.ts'
import { defined, objectOf, objectsOf, stringOf, type JsonObject } from '../json.ts'
import { contentKey, emitHuman, modelOf, textKey } from './response-items.ts'
import type { RolloutContext } from './context.ts'

/** Events that repeat a response item, or report the program's state. */
const silent = new Set([
  'agent_message',
  'agent_reasoning',
  'agent_reasoning_raw_content',
  'agent_reasoning_section_break',
  'collab_agent_interaction_begin',
  'collab_agent_interaction_end',
  'collab_agent_spawn_begin',
  'collab_agent_spawn_end',
  'collab_waiting_begin',
  'collab_waiting_end',
  'context_compacted',
  'dynamic_tool_call_request',
  'dynamic_tool_call_response',
  'entered_review_mode',
  'exec_command_begin',
  'exec_command_end',
  'exited_review_mode',
  'image_generation_end',
  'item_started',
  'mcp_tool_call_begin',
  'mcp_tool_call_end',
  'patch_apply_begin',
  'task_complete',
  'thread_goal_updated',
  'thread_rolled_back',
  'thread_settings_applied',
  'turn_attribution',
  'turn_complete',
  'undo_completed',
  'view_image_tool_call',
  'web_search_begin',
  'web_search_end',
])

export function readEvent(context: RolloutContext, payload: JsonObject): void {
  const { state, changes, sessionKey } = context
  const type = stringOf(payload['type']) ?? ''
  if (silent.has(type)) return
  if (type === 'item_completed') readItem(context, objectOf(payload['item']), stringOf(payload['turn_id']))
  else if (type === 'user_message') {
    const content = stringOf(payload['message'])
    if (content !== undefined) emitHuman(context, content)
  } else if (type === 'task_started' || type === 'turn_started')
    state.turn = stringOf(payload['turn_id']) ?? state.turn
  else if (type === 'thread_name_updated') {
    const text = stringOf(payload['thread_name'])
    if (text !== undefined) changes.session(sessionKey, { title: { text, source: 'custom' } })
  } else if (type === 'patch_apply_end') {
    if (payload['success'] === true)
      changes.filesEdited(sessionKey, Object.keys(objectOf(payload['changes'])))
  } else if (['error', 'stream_error', 'warning', 'turn_aborted'].includes(type))
    readNotice(context, payload, type)
  else changes.unknown(sessionKey, `event of type ${type}`)
}

function readNotice(context: RolloutContext, payload: JsonObject, type: string): void {
  const content =
    type === 'turn_aborted'
      ? `Turn aborted: ${stringOf(payload['reason']) ?? 'interrupted'}`
      : (stringOf(payload['message']) ?? type)
  if (type !== 'warning') context.state.isTurnUnderWay = true
  context.emit(
    defined({
      key: contentKey(context, content),
      role: 'system' as const,
      kind: 'text' as const,
      origin: 'injected' as const,
      content,
      isError: type.endsWith('error') ? true : undefined,
    }),
  )
}

const silentItems = new Set([
  'Reasoning',
  'ContextCompaction',
  'SubAgentActivity',
  'CollabAgentToolCall',
  'HookPrompt',
  'Plan',
  'WebSearch',
  'ImageView',
  'EnteredReviewMode',
  'ExitedReviewMode',
])

function readItem(context: RolloutContext, item: JsonObject, turn: string | undefined): void {
  const type = stringOf(item['type']) ?? ''
  if (type === 'UserMessage') {
    const content = texts(item['content'])
    if (content !== '') emitHuman(context, content, turn)
  } else if (type === 'AgentMessage') {
    const content = texts(item['content'])
    if (content !== '')
      context.emit({
        ...modelOf(context),
        key: textKey(context, item, content, turn),
        role: 'assistant',
        kind: 'text',
        content,
      })
  } else if (['CommandExecution', 'FileChange', 'McpToolCall', 'DynamicToolCall'].includes(type))
    readWork(context, item, type)
  else if (!silentItems.has(type)) context.changes.unknown(context.sessionKey, `item of type ${type}`)
}

/** What a call did. In code mode the model's call is a script, and its commands and patches are only here. */
function readWork(context: RolloutContext, item: JsonObject, type: string): void {
  const { emit, state, changes, sessionKey } = context
  const ownId = stringOf(item['id']) ?? contentKey(context, JSON.stringify(item))
  const id = calledBefore(state.calls, ownId)
  const status = stringOf(item['status'])
  const exit = item['exit_code']
  const isError =
    ['failed', 'declined', 'error'].includes(status ?? '') || (typeof exit === 'number' && exit !== 0)
  const isOwnCall = isCalled(state.calls, ownId)
  if (!isOwnCall)
    emit({
      ...modelOf(context),
      key: `call:${id}`,
      role: 'assistant',
      kind: 'tool_call',
      toolCallKey: id,
      ...toolOf(item, type),
    })
  emit({
    key: `result:${id}`,
    role: 'tool',
    kind: 'tool_result',
    toolCallKey: id,
    isError,
    ...(isOwnCall ? {} : { content: resultOf(item, status) }),
  })
  if (type === 'FileChange' && !isError)
    changes.filesEdited(sessionKey, Object.keys(objectOf(item['changes'])))
}

function toolOf(item: JsonObject, type: string): { toolName: string; toolInput: unknown } {
  if (type === 'CommandExecution')
    return { toolName: 'exec_command', toolInput: defined({ command: item['command'], cwd: item['cwd'] }) }
  if (type === 'FileChange') return { toolName: 'apply_patch', toolInput: { changes: item['changes'] } }
  const server = stringOf(item['server'])
  const tool = stringOf(item['tool']) ?? type
  return { toolName: server === undefined ? tool : `${server}.${tool}`, toolInput: item['arguments'] ?? {} }
}

function resultOf(item: JsonObject, status: string | undefined): string {
  const output = stringOf(item['aggregated_output']) ?? stringOf(item['stdout']) ?? stringOf(item['stderr'])
  if (output !== undefined) return output
  const result = item['result'] ?? item['error']
  if (result !== undefined && result !== null)
    return typeof result === 'string' ? result : JSON.stringify(result)
  return status ?? ''
}

function texts(content: unknown): string {
  return objectsOf(content)
    .map((part) => stringOf(part['text']))
    .filter((text) => text !== undefined)
    .join('\n')
}
