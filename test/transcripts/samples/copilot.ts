import { at, pngData, type Sample } from '../sample.ts'

const session = '953ccd7d-3acd-413b-aba0-76dc21860500'
const agent = 'b667f7f1-1290-4072-8ee1-ed902f7752a2'
let count = 0

const event = (type: string, data: object, agentId?: string) => {
  const id = `event-${count++}`
  return {
    type,
    data,
    ...(agentId === undefined ? {} : { agentId }),
    id,
    timestamp: at(count),
    parentId: null,
  }
}
const usage = (agentId?: string) =>
  event(
    'session.usage_record',
    {
      usage: {
        model: 'gpt-6-sol',
        inputTokens: 100,
        outputTokens: 15,
        cacheReadTokens: 20,
        cacheWriteTokens: 0,
        reasoningTokens: 5,
      },
    },
    agentId,
  )

const edit = { path: '/home/dev/shop/total.ts', old_str: '1', new_str: '2' }
const records = [
  event('session.start', {
    sessionId: session,
    copilotVersion: '1.0.102',
    startTime: at(0),
    context: { cwd: '/home/dev/shop', branch: 'trunk' },
  }),
  event('user.message', {
    content: 'fix the total',
    transformedContent: '<current_datetime>…\n\nfix the total',
  }),
  event('system.message', { role: 'system', content: 'You are' }),
  event('assistant.turn_start', { turnId: '0' }),
  usage(),
  event('assistant.message', {
    model: 'gpt-6-sol',
    content: 'I will.',
    reasoningText: 'A file.',
    toolRequests: [
      { toolCallId: 'c1', name: 'edit', arguments: edit },
      { toolCallId: 'c2', name: 'bash', arguments: { command: 'false' } },
      { toolCallId: 'c3', name: 'task', arguments: { prompt: 'Count' } },
    ],
  }),
  event('tool.execution_start', { toolCallId: 'c1', toolName: 'edit', arguments: edit }),
  event('tool.execution_complete', { toolCallId: 'c1', success: true, result: { content: 'Updated.' } }),
  event('tool.execution_start', { toolCallId: 'c2', toolName: 'bash', arguments: { command: 'false' } }),
  event('session.binary_asset', { assetId: 'sha256:f6', mimeType: 'image/png', data: pngData }),
  event('tool.execution_complete', {
    toolCallId: 'c2',
    success: true,
    shellExecution: { exitCode: 1 },
    result: {
      content: 'no',
      binaryResultsForLlm: [{ type: 'image', assetId: 'sha256:f6', mimeType: 'image/png' }],
    },
  }),
  event('subagent.started', { toolCallId: 'c3', agentName: 'explore', agentDescription: 'Count' }, agent),
  event('user.message', { content: 'Count the files.' }, agent),
  usage(agent),
  event('assistant.message', { model: 'gpt-6-sol', content: 'Three.', toolRequests: [] }, agent),
  event('tool.execution_complete', { toolCallId: 'c3', success: true, result: { content: 'Three.' } }),
  event('session.compaction_complete', { summaryContent: 'So far' }),
  event('session.error', { message: 'the model is unwell' }),
  event('session.shutdown', { accountingSnapshot: {} }),
  event('hologram.shown', {}),
]

export const copilotSample: Sample = {
  assistant: 'copilot',
  files: [{ path: `session-state/${session}/events.jsonl`, records }],
  expected: {
    messages: {
      [session]: [
        'user text human fix the total',
        'assistant thinking A file.',
        'assistant text I will.',
        'assistant tool_call edit',
        'assistant tool_call bash',
        'assistant tool_call task',
        'tool tool_result Updated.',
        'tool image image/png',
        'tool tool_result failed no',
        'tool tool_result Three.',
        'system summary injected So far',
        'system text injected failed the model is unwell',
      ],
      [agent]: ['user text injected Count the files.', 'assistant text Three.'],
    },
    sessions: {
      [session]: { project: '/home/dev/shop', gitBranch: 'trunk', version: '1.0.102' },
      [agent]: { parentKey: session, parentCallKey: 'c3', title: 'Count' },
    },
    tokens: [200, 40, 0, 30],
    files: ['/home/dev/shop/total.ts'],
    unknown: 1,
  },
}
