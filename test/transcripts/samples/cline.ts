import { pngData, type Sample } from '../sample.ts'

const session = '1794854978342_bcl11'
const folder = `data/sessions/${session}`
const modelInfo = { id: 'gpt-6-sol', provider: 'openai-compatible' }
const metrics = { inputTokens: 100, outputTokens: 15, cacheReadTokens: 20, cacheWriteTokens: 0 }
const user = (id: string, ts: number, content: object[]) => ({ id, role: 'user', content, ts })
const text = (value: string) => ({ type: 'text', text: value })

const messages = [
  user('u1', 1000, [
    text('<user_input mode="act">fix the total</user_input>'),
    { type: 'image', mediaType: 'image/png', data: pngData },
  ]),
  {
    id: 'a1',
    role: 'assistant',
    ts: 2000,
    modelInfo,
    metrics,
    content: [
      { type: 'thinking', thinking: 'A file.' },
      text('I will.'),
      { type: 'tool_use', id: 'c1', name: 'editor', input: { path: '/home/dev/shop/total.ts' } },
      { type: 'tool_use', id: 'c2', name: 'run_commands', input: { commands: ['false'] } },
    ],
  },
  user('r1', 3000, [
    { type: 'tool_result', tool_use_id: 'c1', content: 'Updated.' },
    { type: 'tool_result', tool_use_id: 'c2', content: [{ query: 'false', result: 'no', success: false }] },
  ]),
  user('i1', 4000, [text('Continue where you left off.')]),
  {
    id: 'error_1',
    role: 'assistant',
    ts: 5000,
    modelInfo,
    content: [text('Cannot connect to API')],
    metadata: { displayRole: 'error' },
  },
  { id: 'h1', role: 'assistant', ts: 6000, content: [{ type: 'hologram' }] },
]
const document = (of: unknown[]) => ({
  version: 1,
  sessionId: session,
  origin: { version: '3.0.65' },
  messages: of,
})

export const clineSample: Sample = {
  assistant: 'cline',
  files: [
    {
      path: `${folder}/${session}.json`,
      records: [
        {
          session_id: session,
          cwd: '/home/dev/shop',
          started_at: '2026-11-16T12:00:00.000Z',
          prompt: 'fix the total',
          metadata: { title: 'fix the total', git: { branch: 'trunk' } },
        },
      ],
    },
    // The document is rewritten whole as it grows.
    {
      path: `${folder}/${session}.messages.json`,
      records: [document(messages.slice(0, 1)), document(messages)],
    },
    {
      path: `${folder}/agent_7.messages.json`,
      records: [
        document([
          user('x1', 2500, [text('Count the files.')]),
          { id: 'x2', role: 'assistant', ts: 2600, modelInfo, metrics, content: [text('Three.')] },
        ]),
      ],
    },
  ],
  expected: {
    messages: {
      [session]: [
        'user text human fix the total',
        'user image human image/png',
        'assistant thinking A file.',
        'assistant text I will.',
        'assistant tool_call editor',
        'assistant tool_call run_commands',
        'tool tool_result Updated.',
        'tool tool_result failed no',
        'system text injected Continue where you left off.',
        'system text injected failed Cannot connect to API',
      ],
      agent_7: ['user text injected Count the files.', 'assistant text Three.'],
    },
    sessions: {
      [session]: {
        project: '/home/dev/shop',
        gitBranch: 'trunk',
        version: '3.0.65',
        title: 'fix the total',
        titleSource: 'prompt',
      },
      agent_7: { parentKey: session },
    },
    tokens: [200, 40, 0, 30],
    files: ['/home/dev/shop/total.ts'],
    unknown: 1,
  },
}
