import { at, pngData, type Sample } from '../sample.ts'

const session = '36088f54-f238-4a24-9d07-eee3224da518'
const fork = '47c5a393-7c95-45e0-b78e-2dd069235c76'
const folder = 'projects/-home-dev-shop'
const agent = 'agent-general-purpose-call_9'

const provenances: Record<string, string> = {
  user: 'real_user',
  assistant: 'assistant_output',
  tool_result: 'tool_result',
}
const record = (type: string, uuid: string, parentUuid: string | null, fields: object) => ({
  uuid,
  parentUuid,
  sessionId: session,
  timestamp: at(uuid.codePointAt(0) ?? 0),
  type,
  provenance: provenances[type] ?? 'system',
  cwd: '/home/dev/shop',
  version: '0.24.4',
  gitBranch: 'trunk',
  ...fields,
})
const user = (uuid: string, parent: string | null, parts: object[], fields: object = {}) =>
  record('user', uuid, parent, { message: { role: 'user', parts }, ...fields })
const system = (uuid: string, parent: string, subtype: string, systemPayload: object) =>
  record('system', uuid, parent, { subtype, systemPayload })
const usageMetadata = {
  promptTokenCount: 100,
  candidatesTokenCount: 15,
  thoughtsTokenCount: 5,
  cachedContentTokenCount: 20,
  totalTokenCount: 115,
}

const prompt = user('a', null, [
  { text: 'fix the total' },
  { inlineData: { mimeType: 'image/png', data: pngData } },
])
const reply = record('assistant', 'b', 'a', {
  model: 'qwen4-coder',
  usageMetadata,
  message: {
    role: 'model',
    parts: [
      { text: 'A file.', thought: true },
      { text: 'I will.' },
      { functionCall: { id: 'c1', name: 'edit', args: { file_path: '/home/dev/shop/total.ts' } } },
      { functionCall: { id: 'c2', name: 'run_shell_command', args: { command: 'false' } } },
    ],
  },
})
const result = (uuid: string, parent: string, callId: string, output: string, status: string) =>
  record('tool_result', uuid, parent, {
    message: { role: 'user', parts: [{ functionResponse: { id: callId, name: 'x', response: { output } } }] },
    toolCallResult: { callId, status, resultDisplay: output },
  })

const records = [
  prompt,
  reply,
  system('c', 'b', 'ui_telemetry', {
    uiEvent: { input_token_count: 100, output_token_count: 15, response_id: 'r' },
  }),
  result('d', 'c', 'c1', 'Updated.', 'success'),
  result('e', 'd', 'c2', 'Output: none\nExit Code: 1', 'success'),
  user('f', 'e', [{ text: '<task-notification>done</task-notification>' }], {
    subtype: 'notification',
    provenance: 'system',
  }),
  user('g', 'f', [{ text: 'wait' }], {
    subtype: 'mid_turn_user_message',
    systemPayload: { displayText: 'wait' },
  }),
  system('h', 'g', 'slash_command', { phase: 'invocation', rawCommand: '/compress' }),
  system('i', 'h', 'chat_compression', { info: { originalTokenCount: 900 } }),
  system('j', 'i', 'custom_title', { customTitle: 'Total', titleSource: 'manual' }),
  record('hologram', 'k', 'j', {}),
]

export const qwenSample: Sample = {
  assistant: 'qwen',
  files: [
    { path: `${folder}/chats/${session}.jsonl`, records },
    // A fork repeats the records with their uuids.
    {
      path: `${folder}/chats/${fork}.jsonl`,
      records: [prompt, reply].map((each) => ({ ...each, sessionId: fork })),
    },
    {
      path: `${folder}/subagents/${session}/${agent}.jsonl`,
      records: [
        user('x', null, [{ text: 'Count the files.' }]),
        record('assistant', 'y', 'x', { usageMetadata, message: { parts: [{ text: 'Three.' }] } }),
      ],
    },
    {
      path: `${folder}/subagents/${session}/${agent}.meta.json`,
      records: [{ description: 'Count', toolUseId: 'call_9' }],
    },
  ],
  expected: {
    messages: {
      [session]: [
        'user text human fix the total',
        'user image human image/png',
        'assistant thinking A file.',
        'assistant text I will.',
        'assistant tool_call edit',
        'assistant tool_call run_shell_command',
        'tool tool_result Updated.',
        'tool tool_result failed Output: none\nExit Code: 1',
        'system text injected <task-notification>done</task-notification>',
        'user text human wait',
        'user text human /compress',
        'system summary injected Conversation compacted',
      ],
      [fork]: [
        'user text human fix the total',
        'user image human image/png',
        'assistant thinking A file.',
        'assistant text I will.',
        'assistant tool_call edit',
        'assistant tool_call run_shell_command',
      ],
      [agent]: ['user text injected Count the files.', 'assistant text Three.'],
    },
    sessions: {
      [session]: { project: '/home/dev/shop', gitBranch: 'trunk', version: '0.24.4', title: 'Total' },
      [agent]: { parentKey: session, parentCallKey: 'call_9', title: 'Count' },
    },
    tokens: [200, 40, 0, 30],
    files: ['/home/dev/shop/total.ts'],
    unknown: 1,
  },
}
