import { at, pngData, type Sample } from '../sample.ts'

const session = '11111111-1111-4111-8111-111111111111'
const fork = '22222222-2222-4222-8222-222222222222'
const folder = 'projects/-home-dev-shop'
let second = 0

function record(type: string, uuid: string, parentUuid: string | null, fields: object, of = session): object {
  const common = {
    sessionId: of,
    cwd: '/home/dev/shop',
    gitBranch: 'trunk',
    version: '2.1.325',
    isSidechain: false,
  }
  return { type, uuid, parentUuid, timestamp: at(second++), ...common, ...fields }
}

function assistant(
  uuid: string,
  parent: string,
  id: string,
  index: number,
  block: object,
  output: number,
): object {
  const usage = {
    input_tokens: 10,
    cache_read_input_tokens: 100,
    cache_creation_input_tokens: 5,
    output_tokens: output,
  }
  const message = { id, model: 'claude-sonnet-5-5', role: 'assistant', content: [block], usage }
  return record('assistant', uuid, parent, { message, apiBlockIndex: index })
}

function result(uuid: string, parent: string, block: object, toolUseResult: unknown): object {
  return record('user', uuid, parent, {
    message: { role: 'user', content: [{ type: 'tool_result', ...block }] },
    toolUseResult,
  })
}

const human = { promptSource: 'typed', origin: { kind: 'human' } }
const user = (uuid: string, parent: string | null, content: unknown, fields: object = human) =>
  record('user', uuid, parent, { message: { role: 'user', content }, ...fields })

const main = [
  {
    type: 'queue-operation',
    operation: 'enqueue',
    content: 'fix the total',
    sessionId: session,
    timestamp: at(0),
  },
  user('u1', null, '<ide_opened_file>total.ts</ide_opened_file>fix the total'),
  record('attachment', 'a1', 'u1', { attachment: { type: 'environment' }, rendered: ['fix the total'] }),
  {
    type: 'api-request-blob',
    hash: 'h',
    message: { role: 'user', content: 'fix the total' },
    sessionId: session,
  },
  assistant('m1', 'a1', 'msg_1', 0, { type: 'thinking', thinking: 'A file.', signature: 's' }, 40),
  assistant(
    'm2',
    'm1',
    'msg_1',
    1,
    { type: 'tool_use', id: 't1', name: 'Edit', input: { file_path: 'total.ts' } },
    40,
  ),
  assistant(
    'm3',
    'm2',
    'msg_1',
    2,
    { type: 'tool_use', id: 't2', name: 'Bash', input: { command: 'npm test' } },
    40,
  ),
  result('r2', 'm3', { tool_use_id: 't2', content: 'Exit code 1', is_error: true }, 'Error: Exit code 1'),
  result(
    'r1',
    'm2',
    { tool_use_id: 't1', content: 'Updated.' },
    { filePath: '/home/dev/shop/total.ts', structuredPatch: [] },
  ),
  record('attachment', 'q1', 'r1', {
    attachment: { type: 'queued_command', prompt: 'and the tax', origin: { kind: 'human' } },
  }),
  record('system', 'c1', null, {
    subtype: 'compact_boundary',
    logicalParentUuid: 'q1',
    compactMetadata: { trigger: 'manual', preTokens: 900, postTokens: 90 },
  }),
  user('c2', 'c1', 'This session is being continued from …', { isCompactSummary: true }),
  user('n1', 'c2', '<task-notification>done</task-notification>', { origin: { kind: 'task-notification' } }),
  user('s1', 'n1', '<command-name>/model</command-name><command-args>opus</command-args>'),
  user('p1', 's1', [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: pngData } }]),
  assistant(
    'm4',
    'p1',
    'msg_2',
    0,
    { type: 'tool_use', id: 't3', name: 'Bash', input: { command: 'seq 9' } },
    7,
  ),
  result(
    'r3',
    'm4',
    { tool_use_id: 't3', content: '<persisted-output>1' },
    {
      stdout: '1\n2',
      persistedOutputPath: `/home/dev/.claude/${folder}/${session}/tool-results/big1.txt`,
    },
  ),
  { parentUuid: 'r3', isSidechain: false, type: 'progress', data: { type: 'bash_progress' }, uuid: 'g1' },
  record('system', 'e1', 'g1', { subtype: 'api_error', error: { status: 529, message: 'Overloaded' } }),
  { type: 'ai-title', aiTitle: 'Fix the total', sessionId: session },
  { type: 'custom-title', customTitle: 'Total and tax', sessionId: session },
  { type: 'ai-title', aiTitle: 'Later title', sessionId: session },
  { type: 'pr-link', prUrl: 'https://example.com/pr/1', sessionId: session },
  { type: 'cost-state', totalCostUSD: 1, sessionId: session },
  { type: 'hologram', sessionId: session },
]

/** `/branch` repeats records under the new session, with a pointer back. */
const branch = [
  {
    ...user('u1', null, 'fix the total'),
    sessionId: fork,
    forkedFrom: { sessionId: session, messageUuid: 'u1' },
  },
  { ...assistant('m4', 'u1', 'msg_2', 0, { type: 'text', text: 'Done.' }, 7), sessionId: fork },
  { type: 'custom-title', customTitle: 'Total and tax (Branch)', sessionId: fork },
]

const subagent = [
  { ...user('x1', null, 'Count the files.', {}), isSidechain: true, agentId: 'a77' },
  { ...assistant('x2', 'x1', 'msg_3', 0, { type: 'text', text: 'Three.' }, 3), isSidechain: true },
]

export const claudeCodeSample: Sample = {
  assistant: 'claude-code',
  files: [
    { path: `${folder}/${session}.jsonl`, records: main },
    { path: `${folder}/${session}/tool-results/big1.txt`, records: ['1\n2\n3\n4'] },
    { path: `${folder}/${session}/subagents/agent-a77.jsonl`, records: subagent },
    {
      path: `${folder}/${session}/subagents/agent-a77.meta.json`,
      records: [{ description: 'Count', toolUseId: 't9', agentType: 'general-purpose' }],
    },
    { path: `${folder}/${fork}.jsonl`, records: branch },
  ],
  expected: {
    messages: {
      [session]: [
        'system text injected <ide_opened_file>total.ts</ide_opened_file>',
        'user text human fix the total',
        'assistant thinking A file.',
        'assistant tool_call Edit',
        'assistant tool_call Bash',
        'tool tool_result failed Exit code 1',
        'tool tool_result Updated.',
        'user text human and the tax',
        'system summary injected Conversation compacted on request (900 → 90 tokens)',
        'system summary injected This session is being continued from …',
        'system text injected <task-notification>done</task-notification>',
        'user text human /model opus',
        'user image human image/png',
        'assistant tool_call Bash',
        'tool tool_result 1\n2\n3\n4',
        'system text injected failed 529: Overloaded',
      ],
      [fork]: ['user text human fix the total', 'assistant text Done.'],
      a77: ['user text injected Count the files.', 'assistant text Three.'],
    },
    sessions: {
      [session]: {
        project: '/home/dev/shop',
        gitBranch: 'trunk',
        title: 'Total and tax',
        titleSource: 'custom',
      },
      [fork]: { forkedFrom: session, title: 'Total and tax (Branch)' },
      a77: { parentKey: session, parentCallKey: 't9', title: 'Count' },
    },
    tokens: [345, 300, 15, 50],
    files: ['/home/dev/shop/total.ts'],
    unknown: 1,
  },
}
