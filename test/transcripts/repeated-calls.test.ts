/** Models that number their calls from one in every response: each call is a message of its own, with its result. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assistants, type AssistantId } from '../../src/transcripts/assistants/index.ts'
import { Derived, readLines } from './derive.ts'
import { at } from './sample.ts'

interface Written {
  path: string
  /** The records of a response with the call `c1`, and of its result. */
  turn(count: number): object[]
  /** One document has the records of all turns. */
  document?(records: object[]): object
}

const uuid = '11111111-1111-4111-8111-111111111111'
const input = (count: number) => ({ count })
const output = (count: number) => `result ${count}`

const written: Record<AssistantId, Written> = {
  'claude-code': {
    path: `projects/-home-dev-shop/${uuid}.jsonl`,
    turn: (count) => {
      const call = { type: 'tool_use', id: 'c1', name: 'Bash', input: input(count) }
      const message = { id: `msg_${count}`, role: 'assistant', content: [call] }
      const result = { type: 'tool_result', tool_use_id: 'c1', content: output(count) }
      return [
        { type: 'assistant', uuid: `a${count}`, timestamp: at(count), message },
        // A line of the same response has the call again.
        { type: 'assistant', uuid: `b${count}`, timestamp: at(count), message },
        {
          type: 'user',
          uuid: `c${count}`,
          timestamp: at(count),
          message: { role: 'user', content: [result] },
        },
      ]
    },
  },
  codex: {
    path: `sessions/2026/11/16/rollout-2026-11-16T12-00-00-${uuid}.jsonl`,
    turn: (count) =>
      [
        {
          type: 'function_call',
          call_id: 'c1',
          name: 'exec_command',
          arguments: JSON.stringify(input(count)),
        },
        { type: 'function_call_output', call_id: 'c1', output: output(count) },
      ].map((payload) => ({ timestamp: at(count), type: 'response_item', payload })),
  },
  opencode: {
    path: 'opencode.db',
    turn: (count) => {
      const state = { status: 'completed', input: input(count), output: output(count) }
      const data = { type: 'tool', tool: 'bash', callID: 'c1', state }
      const of = { session_id: uuid, time_created: count, message: { role: 'assistant' } }
      const running = { ...data, state: { ...state, status: 'running' } }
      return [running, data].map((each) => ({ table: 'part', id: `prt_${count}`, ...of, data: each }))
    },
  },
  gemini: {
    path: `tmp/shop/chats/${uuid}/${uuid}.jsonl`,
    turn: (count) => {
      const message = { id: `g${count}`, timestamp: at(count), type: 'gemini', content: '' }
      const call = { id: 'c1', name: 'shell', args: input(count) }
      const response = { functionResponse: { id: 'c1', response: { output: output(count) } } }
      return [
        { ...message, toolCalls: [call] },
        { ...message, toolCalls: [{ ...call, status: 'success', result: [response] }] },
      ]
    },
  },
  qwen: {
    path: `projects/-home-dev-shop/chats/${uuid}.jsonl`,
    turn: (count) => {
      const call = { functionCall: { id: 'c1', name: 'shell', args: input(count) } }
      const response = { functionResponse: { id: 'c1', response: { output: output(count) } } }
      return [
        { type: 'assistant', uuid: `a${count}`, timestamp: at(count), message: { parts: [call] } },
        {
          type: 'tool_result',
          uuid: `b${count}`,
          timestamp: at(count),
          message: { parts: [response] },
          toolCallResult: { callId: 'c1', status: 'success' },
        },
      ]
    },
  },
  copilot: {
    path: `session-state/${uuid}/events.jsonl`,
    turn: (count) => {
      const call = { toolCallId: 'c1', name: 'bash', arguments: input(count) }
      const data = { toolCallId: 'c1', toolName: 'bash', arguments: input(count) }
      const result = { toolCallId: 'c1', success: true, result: { content: output(count) } }
      return [
        { type: 'assistant.message', id: `a${count}`, timestamp: at(count), data: { toolRequests: [call] } },
        { type: 'tool.execution_start', id: `b${count}`, timestamp: at(count), data },
        // A subagent that the call started has the same ids.
        { type: 'tool.execution_start', id: `c${count}`, timestamp: at(count), data, agentId: 'agent-1' },
        { type: 'tool.execution_complete', id: `d${count}`, timestamp: at(count), data: result },
      ]
    },
  },
  pi: {
    path: `sessions/--home-dev-shop--/2026-11-16T12-00-00-000Z_${uuid}.jsonl`,
    turn: (count) => {
      const call = { type: 'toolCall', id: 'c1', name: 'bash', arguments: input(count) }
      const content = [{ type: 'text', text: output(count) }]
      return [
        { role: 'assistant', content: [call] },
        { role: 'toolResult', toolCallId: 'c1', content },
      ].map((message, index) => ({ type: 'message', id: `${count}-${index}`, timestamp: at(count), message }))
    },
  },
  cline: {
    path: `data/sessions/${uuid}/${uuid}.messages.json`,
    turn: (count) => {
      const call = { type: 'tool_use', id: 'c1', name: 'bash', input: input(count) }
      const result = { type: 'tool_result', tool_use_id: 'c1', content: output(count) }
      return [
        { id: `a${count}`, ts: count * 1_000, role: 'assistant', content: [call] },
        { id: `b${count}`, ts: count * 1_000 + 1, role: 'user', content: [result] },
      ]
    },
    document: (messages) => ({ messages }),
  },
}

/** Each call with its result, and the key of the first call. */
function callsOf(derived: Derived): { calls: unknown[]; first: string | undefined } {
  const messages = [...(derived.messages.get(uuid)?.values() ?? [])]
  const ofKind = (kind: string) => messages.filter((message) => message.kind === kind)
  const calls = ofKind('tool_call').map(({ toolCallKey, toolInput }) => [
    toolInput,
    ...ofKind('tool_result')
      .filter((result) => result.toolCallKey === toolCallKey)
      .map(({ content }) => content),
  ])
  return { calls, first: ofKind('tool_call')[0]?.key }
}

for (const [id, { path, turn, document }] of Object.entries(written))
  test(`calls with one id in several responses are several calls, each with its result (${id})`, () => {
    const assistant = assistants.find((each) => each.id === id)
    const source = assistant?.source(path)
    assert.ok(assistant && source)
    const records = [1, 2, 3].flatMap(turn)
    const lines = (document ? [document(records)] : records).map((record) => JSON.stringify(record))
    const expected = {
      calls: [1, 2, 3].map((count) => [input(count), output(count)]),
      // Links to messages of sessions that were stored before stay valid.
      first: 'call:c1',
    }
    for (const given of [lines, [...lines, ...lines]])
      for (const reopens of [() => false, () => true]) {
        const derived = new Derived()
        readLines(assistant, source, given, derived, reopens)
        assert.deepEqual(callsOf(derived), expected)
      }
  })
