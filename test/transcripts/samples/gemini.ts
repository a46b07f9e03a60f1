import { at, pngData, type Sample } from '../sample.ts'

const session = 'f7878a84-3202-41f0-93ab-5840b61241b4'
const context =
  '<session_context>\nThis is the Gemini CLI.\n- **Workspace Directories:**\n  - /home/dev/shop\n</session_context>'
const contextMessage = { id: 'ctx', timestamp: at(1), type: 'user', content: [{ text: context }] }
const meta = (startTime: string) => ({ sessionId: session, projectHash: 'ba22', startTime, kind: 'main' })
const user = (id: string, second: number, content: unknown) => ({
  id,
  timestamp: at(second),
  type: 'user',
  content,
})
const response = (id: string, body: object) => ({ functionResponse: { id, name: 'x', response: body } })

/** The text of a file that the prompt names, as Gemini CLI adds it. */
const named = [
  '\n--- Content from referenced files ---',
  '\nContent from @tax.ts:\n',
  'export const tax = 0.19',
  '\n--- End of content ---',
]

const reply = {
  id: 'g1',
  timestamp: at(3),
  type: 'gemini',
  content: 'I will.',
  thoughts: [{ subject: 'Plan', description: 'A file.' }],
  tokens: { input: 100, output: 10, cached: 20, thoughts: 5, tool: 0, total: 115 },
  model: 'gemini-3.8-flash',
}
const calls = [
  {
    id: 'replace__1',
    name: 'replace',
    args: { file_path: '/home/dev/shop/total.ts' },
    status: 'success',
    result: [response('replace__1', { output: 'Modified.' })],
  },
  {
    id: 'shell__1',
    name: 'run_shell_command',
    args: { command: 'false' },
    status: 'success',
    result: [response('shell__1', { output: 'Output: none\nExit Code: 2' })],
  },
  {
    id: 'read__1',
    name: 'read_file',
    args: { file_path: 'red.png' },
    status: 'success',
    result: [
      {
        functionResponse: {
          id: 'read__1',
          response: { output: 'Binary.' },
          parts: [{ inlineData: { mimeType: 'image/png', data: pngData } }],
        },
      },
    ],
  },
]

const records = [
  meta(at(0)),
  { $set: { messages: [contextMessage], lastUpdated: at(1) } },
  user('u1', 2, [{ text: 'fix the total' }]),
  reply,
  { ...reply, toolCalls: calls },
  user('f1', 4, [response('replace__1', { output: 'Modified.' })]),
  { $set: { lastUpdated: at(4) } },
  // Resumed within the minute: the messages again, at another time, without tokens and model.
  meta(at(20)),
  {
    $set: {
      messages: [
        { ...contextMessage, timestamp: at(21) },
        user('u1', 21, [{ text: 'fix the total' }]),
        {
          id: 'g1',
          timestamp: at(21),
          type: 'gemini',
          content: [{ text: 'Plan', thought: true }, { text: 'I will.' }],
        },
      ],
    },
  },
  user('u2', 22, [{ text: 'and the tax of @tax.ts' }, ...named.map((text) => ({ text }))]),
  { id: 'e1', timestamp: at(23), type: 'error', content: 'the model is unwell' },
  { $rewindTo: 'u2' },
  {
    $set: {
      messages: [user('s1', 30, [{ text: '<state_snapshot>So far</state_snapshot>' }])],
      summary: 'Total and tax',
    },
  },
  { id: 'h1', timestamp: at(31), type: 'hologram' },
]

const subagent = [
  { sessionId: 'f3e84f2a', startTime: at(5), kind: 'subagent', directories: ['/home/dev/shop'] },
  user('x1', 5, 'Count the files.'),
  { ...reply, id: 'x2', timestamp: at(6), content: 'Three.', thoughts: [] },
]

export const geminiSample: Sample = {
  assistant: 'gemini',
  files: [
    { path: 'tmp/shop/chats/session-2026-11-16T12-00-f7878a84.jsonl', records },
    { path: `tmp/shop/chats/${session}/f3e84f2a.jsonl`, records: subagent },
  ],
  expected: {
    messages: {
      [session]: [
        `system text injected ${context}`,
        'user text human fix the total',
        'assistant thinking Plan\nA file.',
        'assistant text I will.',
        'assistant tool_call replace',
        'tool tool_result Modified.',
        'assistant tool_call run_shell_command',
        'tool tool_result failed Output: none\nExit Code: 2',
        'assistant tool_call read_file',
        'tool tool_result Binary.',
        'tool image image/png',
        'user text human and the tax of @tax.ts',
        `system text injected ${named.join('\n').trimStart()}`,
        'system text injected failed the model is unwell',
        'system summary injected <state_snapshot>So far</state_snapshot>',
      ],
      f3e84f2a: ['user text injected Count the files.', 'assistant text Three.'],
    },
    sessions: {
      [session]: { project: '/home/dev/shop', title: 'Total and tax', startedAt: new Date(at(0)) },
      f3e84f2a: { parentKey: session, project: '/home/dev/shop' },
    },
    tokens: [200, 40, 0, 30],
    files: ['/home/dev/shop/total.ts'],
    unknown: 1,
  },
}
