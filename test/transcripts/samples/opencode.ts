import { pngData, type Sample } from '../sample.ts'

const session = 'ses_1'
const fork = 'ses_2'
const child = 'ses_3'
let count = 0

const sessionRow = (id: string, fields: object) => ({
  table: 'session',
  id,
  time_created: 1000,
  directory: '/home/dev/shop',
  version: '1.18.33',
  ...fields,
})
const tokens = { input: 80, output: 10, reasoning: 5, cache: { read: 20, write: 0 } }
const reply = { role: 'assistant', modelID: 'gpt-6-sol', time: { created: 2000, completed: 3000 }, tokens }
const messageRow = (id: string, of: string, data: object) => ({
  table: 'message',
  id,
  session_id: of,
  time_created: 2000,
  data,
})
const part = (of: string, message: object, data: object, parent: string | null = null) => ({
  table: 'part',
  id: `prt_${(++count).toString(16).padStart(9, '0')}000x`,
  session_id: of,
  message_id: 'm',
  time_created: 2000 + count,
  data,
  message,
  parent_id: parent,
})
const human = { role: 'user' }
const tool = (callID: string, name: string, state: object) => ({ type: 'tool', tool: name, callID, state })

const records = [
  sessionRow(session, { title: 'New session - 2026-11-16T12:00:00.000Z' }),
  sessionRow(session, { title: 'Total' }),
  messageRow('m1', session, human),
  part(session, human, { type: 'text', text: '"fix the total"' }),
  part(session, human, { type: 'file', mime: 'image/png', url: `data:image/png;base64,${pngData}` }),
  part(session, human, { type: 'text', text: 'Called the Read tool', synthetic: true }),
  messageRow('m2', session, reply),
  part(session, reply, { type: 'step-start' }),
  part(session, reply, { type: 'reasoning', text: 'A file.' }),
  part(session, reply, { type: 'text', text: 'I will.' }),
  part(
    session,
    reply,
    tool('c1', 'edit', {
      status: 'completed',
      input: { filePath: '/home/dev/shop/total.ts' },
      output: 'Edited.',
      metadata: {},
    }),
  ),
  part(
    session,
    reply,
    tool('c2', 'bash', {
      status: 'completed',
      input: { command: 'false' },
      output: 'no',
      metadata: { exit: 1 },
    }),
  ),
  part(
    session,
    reply,
    tool('c3', 'task', { status: 'completed', input: {}, output: 'Three.', metadata: { sessionId: child } }),
  ),
  part(session, human, { type: 'compaction', auto: false }),
  part(session, { ...reply, summary: true, mode: 'compaction' }, { type: 'text', text: 'So far' }),
  part(session, reply, { type: 'hologram' }),
  messageRow('m3', session, {
    role: 'assistant',
    time: { created: 9000 },
    error: { name: 'APIError', data: { message: 'unwell' } },
  }),
  sessionRow(fork, { title: 'Total (fork #1)' }),
  messageRow('m4', fork, reply),
  part(fork, reply, { type: 'text', text: 'I will.' }),
  sessionRow(child, { title: 'Count (@general subagent)', parent_id: session }),
  part(child, human, { type: 'text', text: 'Count the files.' }, session),
]

export const opencodeSample: Sample = {
  assistant: 'opencode',
  files: [{ path: 'opencode.db', records }],
  expected: {
    messages: {
      [session]: [
        'user text human fix the total',
        'user image human image/png',
        'system text injected Called the Read tool',
        'assistant thinking A file.',
        'assistant text I will.',
        'assistant tool_call edit',
        'tool tool_result Edited.',
        'assistant tool_call bash',
        'tool tool_result failed no',
        'assistant tool_call task',
        'tool tool_result Three.',
        'system summary injected Conversation compacted',
        'assistant summary So far',
        'system text injected failed unwell',
      ],
      [fork]: ['assistant text I will.'],
      [child]: ['user text injected Count the files.'],
    },
    sessions: {
      [session]: { project: '/home/dev/shop', version: '1.18.33', title: 'Total' },
      [child]: { parentKey: session, parentCallKey: 'c3' },
    },
    tokens: [100, 20, 0, 15],
    files: ['/home/dev/shop/total.ts'],
    unknown: 1,
  },
}
