import { at, pngData, type Sample } from '../sample.ts'

const original = '01a1e5aa-0000-7000-8000-00000000000a'
const fork = '01a1e5aa-0000-7000-8000-00000000000b'
const folder = 'sessions/--home-dev-shop--'

const entry = (type: string, id: string, parentId: string | null, fields: object) => ({
  type,
  id,
  parentId,
  timestamp: at(Number.parseInt(id, 16) % 60),
  ...fields,
})
const message = (id: string, parent: string | null, body: object) =>
  entry('message', id, parent, { message: body })
const usage = (input: number, output: number) => ({ input, output, cacheRead: 10, cacheWrite: 2 })
const reply = (id: string, parent: string, content: object[], output: number) =>
  message(id, parent, {
    role: 'assistant',
    model: 'gpt-6-sol',
    responseId: `chatcmpl-${id}`,
    content,
    usage: usage(90, output),
  })

const first = message('00000004', '00000002', {
  role: 'user',
  content: [{ type: 'text', text: 'fix the total' }],
})
const second = reply(
  '00000005',
  '00000004',
  [
    { type: 'thinking', thinking: 'A file.' },
    { type: 'toolCall', id: 'c1', name: 'edit', arguments: { path: '/home/dev/shop/total.ts' } },
    { type: 'toolCall', id: 'c2', name: 'bash', arguments: { command: 'false' } },
  ],
  9,
)

const records = [
  { type: 'session', version: 3, id: original, timestamp: at(0), cwd: '/home/dev/shop' },
  entry('model_change', '00000001', null, { provider: 'p', modelId: 'gpt-6-sol' }),
  message('00000002', '00000001', { role: 'system', content: '', sections: { preamble: 'You are' } }),
  first,
  second,
  message('00000006', '00000005', {
    role: 'toolResult',
    toolCallId: 'c1',
    toolName: 'edit',
    content: [{ type: 'text', text: 'Replaced.' }],
    isError: false,
  }),
  message('00000007', '00000006', {
    role: 'toolResult',
    toolCallId: 'c2',
    toolName: 'bash',
    content: [
      { type: 'text', text: 'exited with code 1' },
      { type: 'image', mimeType: 'image/png', data: pngData },
    ],
    isError: true,
  }),
  entry('usage', '00000008', '00000007', { kind: 'cache_warm', model: 'gpt-6-sol', usage: usage(0, 0) }),
  entry('compaction', '00000009', '00000008', {
    summary: 'So far',
    firstKeptEntryId: '00000007',
    usage: usage(50, 5),
  }),
  entry('custom_message', '0000000a', '00000009', {
    customType: 'x',
    content: 'From an extension',
    display: true,
  }),
  message('0000000b', '0000000a', {
    role: 'assistant',
    content: [],
    errorMessage: '400 the model is unwell',
    usage: usage(0, 0),
  }),
  entry('session_info', '0000000c', '0000000b', { name: 'Total' }),
  entry('hologram', '0000000d', '0000000c', {}),
]

export const piSample: Sample = {
  assistant: 'pi',
  files: [
    { path: `${folder}/2026-11-16T12-00-00-000Z_${original}.jsonl`, records },
    {
      path: `${folder}/2026-11-16T12-30-00-000Z_${fork}.jsonl`,
      records: [
        {
          type: 'session',
          id: fork,
          timestamp: at(30),
          cwd: '/home/dev/shop',
          parentSession: `/home/dev/.pi/agent/${folder}/2026-11-16T12-00-00-000Z_${original}.jsonl`,
        },
        first,
        second,
      ],
    },
  ],
  expected: {
    messages: {
      [original]: [
        'user text human fix the total',
        'assistant thinking A file.',
        'assistant tool_call edit',
        'assistant tool_call bash',
        'tool tool_result Replaced.',
        'tool tool_result failed exited with code 1',
        'tool image image/png',
        'system summary injected So far',
        'system text injected From an extension',
        'system text injected failed 400 the model is unwell',
      ],
      [fork]: [
        'user text human fix the total',
        'assistant thinking A file.',
        'assistant tool_call edit',
        'assistant tool_call bash',
      ],
    },
    sessions: { [original]: { project: '/home/dev/shop', title: 'Total' }, [fork]: { forkedFrom: original } },
    // The reply once, the summary, the warmed cache, and the failed call's cached tokens.
    tokens: [102 + 62 + 12 + 12, 40, 8, 14],
    files: ['/home/dev/shop/total.ts'],
    unknown: 1,
  },
}
