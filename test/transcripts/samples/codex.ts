import { at, pngData, type Sample } from '../sample.ts'

const thread = '01a1e5a4-0000-7000-8000-000000000001'
const child = '01a1e5a4-0000-7000-8000-000000000002'
const forked = '01a1e5a4-0000-7000-8000-000000000003'
const legacy = '01a1e5a4-0000-7000-8000-000000000004'
let ordinal = 0

const line = (type: string, payload: object) => ({
  timestamp: at(ordinal),
  ordinal: ordinal++,
  type,
  payload,
})
const item = (payload: object) => line('response_item', payload)
const event = (payload: object) => line('event_msg', payload)
const done = (body: object) =>
  event({ type: 'item_completed', thread_id: thread, turn_id: 'turn1', item: body })
const meta = (id: string, more: object = {}) =>
  line('session_meta', {
    id,
    session_id: thread,
    cwd: '/home/dev/shop',
    cli_version: '0.166.0',
    history_mode: 'paginated',
    git: { branch: 'trunk' },
    ...more,
  })
const usage = (input: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: 10,
  output_tokens: output,
})
const turn = (id: string) => line('turn_context', { turn_id: id, model: 'gpt-6-sol' })
const message = (id: string, role: string, text: string, kind: string) =>
  item({
    type: 'message',
    id,
    role,
    content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
    internal_chat_message_metadata_passthrough: { turn_id: 'turn1', content_item_kinds: [kind] },
  })

const summaryStart =
  'Another language model started to solve this problem and produced a summary of its thinking process.'

const paginated = [
  meta(thread),
  event({ type: 'task_started', turn_id: 'turn1' }),
  item({ type: 'additional_tools', tools: [] }),
  message('d1', 'developer', '<permissions instructions>…', 'permissions.instructions'),
  message('e1', 'user', '<environment_context>…', 'environments.environment_context'),
  turn('turn1'),
  message('u1', 'user', 'fix the total', 'user.text'),
  done({ type: 'UserMessage', id: 'x', content: [{ type: 'text', text: 'fix the total' }] }),
  done({ type: 'Reasoning', id: 'rs_1', summary_text: ['A file.'], raw_content: [] }),
  item({ type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'A file.' }] }),
  item({ type: 'custom_tool_call', call_id: 'c1', name: 'exec', namespace: 'functions', input: 'text(1)' }),
  done({
    type: 'CommandExecution',
    id: 'exec-1',
    command: ['ls'],
    exit_code: 2,
    aggregated_output: 'no such file',
  }),
  done({
    type: 'FileChange',
    id: 'exec-2',
    changes: { '/home/dev/shop/total.ts': { type: 'update' } },
    status: 'completed',
  }),
  item({ type: 'custom_tool_call_output', call_id: 'c1', output: 'script done' }),
  line('token_usage_record', { response_id: 'resp_1', usage: usage(100, 20) }),
  event({
    type: 'token_count',
    info: { total_token_usage: usage(100, 20), last_token_usage: usage(100, 20) },
  }),
  item({ type: 'function_call', call_id: 'c2', name: 'exec_command', arguments: '{"cmd":"false"}' }),
  done({ type: 'CommandExecution', id: 'c2', command: ['false'], exit_code: 1, aggregated_output: '' }),
  item({ type: 'function_call_output', call_id: 'c2', output: 'Process exited with code 1\nOutput:\n' }),
  done({ type: 'AgentMessage', id: 'msg_1', content: [{ type: 'Text', text: 'Fixed.' }] }),
  message('msg_1', 'assistant', 'Fixed.', 'unknown'),
  // The model writes the summary, the record of the compaction has it, and the next turn begins with it.
  {
    ...message('msg_2', 'assistant', 'Summary so far', 'unknown'),
    metadata: { kind: 'compaction_output' },
  },
  line('compacted', { message: 'Summary so far', replacement_history: [] }),
  message('u2', 'user', `${summaryStart}\nSummary so far`, 'user.text'),
  event({ type: 'token_count', info: { total_token_usage: usage(100, 20), last_token_usage: usage(0, 0) } }),
  line('token_usage_record', { response_id: 'resp_2', usage: usage(50, 5) }),
  event({ type: 'error', message: 'the model is unavailable' }),
  line('hologram', {}),
]

const subagent = [
  meta(child, { parent_thread_id: thread, agent_nickname: 'Ada' }),
  item({
    type: 'agent_message',
    id: 'am_1',
    content: [{ type: 'encrypted_content', encrypted_content: 'x' }],
  }),
  line('token_usage_record', { response_id: 'resp_3', usage: usage(30, 3) }),
]

const older = [
  meta(legacy, { history_mode: 'legacy', id: legacy }),
  turn('turn9'),
  item({
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: '# AGENTS.md instructions' }],
  }),
  item({
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: 'hello' },
      { type: 'input_image', image_url: `data:image/png;base64,${pngData}` },
    ],
  }),
  event({ type: 'user_message', message: 'hello' }),
  event({ type: 'agent_message', message: 'Hi.' }),
  item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] }),
  event({ type: 'token_count', info: { total_token_usage: usage(40, 4), last_token_usage: usage(40, 4) } }),
  event({ type: 'token_count', info: { total_token_usage: usage(40, 4), last_token_usage: usage(40, 4) } }),
]

const file = (id: string) => `sessions/2026/11/16/rollout-2026-11-16T12-00-00-${id}.jsonl`

export const codexSample: Sample = {
  assistant: 'codex',
  files: [
    { path: file(thread), records: paginated },
    { path: file(child), records: subagent },
    {
      path: file(forked),
      records: [meta(forked, { forked_from_id: thread, history_base: { thread_id: thread } })],
    },
    { path: `archived_sessions/rollout-2026-11-16T12-00-00-${legacy}.jsonl`, records: older },
    { path: 'session_index.jsonl', records: [{ id: thread, thread_name: 'Total' }] },
  ],
  expected: {
    messages: {
      [thread]: [
        'system text injected <environment_context>…',
        'user text human fix the total',
        'assistant thinking A file.',
        'assistant tool_call exec',
        'assistant tool_call exec_command',
        'tool tool_result failed no such file',
        'assistant tool_call apply_patch',
        'tool tool_result completed',
        'tool tool_result script done',
        'assistant tool_call exec_command',
        'tool tool_result failed Process exited with code 1\nOutput:\n',
        'assistant text Fixed.',
        'system summary injected Summary so far',
        'system text injected failed the model is unavailable',
      ],
      [child]: ['user text injected (encrypted message between agents)'],
      [legacy]: [
        'system text injected # AGENTS.md instructions',
        'user text human hello',
        'user image human image/png',
        'assistant text Hi.',
      ],
    },
    sessions: {
      [thread]: { project: '/home/dev/shop', gitBranch: 'trunk', version: '0.166.0', title: 'Total' },
      [child]: { parentKey: thread, title: 'Ada' },
      [forked]: { forkedFrom: thread },
      [legacy]: { project: '/home/dev/shop' },
    },
    tokens: [220, 40, 0, 32],
    files: ['/home/dev/shop/total.ts'],
    unknown: 1,
  },
}
