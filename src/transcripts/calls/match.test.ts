import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GatewayCall } from '../read/session-costs.ts'
import { callsWithoutMessage, type CountedResponse } from './match.ts'

const at = (second: number): Date => new Date(Date.UTC(2026, 10, 16, 12, 0, second))

function call(requestId: string, second: number, tokens: [number, number], statusCode = 200): GatewayCall {
  return {
    requestId,
    subagentKey: null,
    model: 'a',
    endpoint: '/v1/messages',
    startedAt: at(second),
    endedAt: at(second),
    statusCode,
    errorMessage: null,
    promptTokens: tokens[0],
    completionTokens: tokens[1],
    cost: null,
  }
}

const response = (second: number | null, inputTokens: number, outputTokens: number): CountedResponse => ({
  inputTokens,
  outputTokens,
  at: second === null ? null : at(second),
})

const left = (calls: GatewayCall[], responses: CountedResponse[]): string[] =>
  callsWithoutMessage(calls, responses).map(({ requestId }) => requestId)

test('a call whose tokens the transcript counts has a message', () => {
  const calls = [call('title', 1, [30, 5]), call('first', 2, [100, 10]), call('second', 3, [110, 10])]
  assert.deepEqual(left(calls, [response(3, 110, 10), response(2, 100, 10)]), ['title'])
  assert.deepEqual(left(calls, []), ['title', 'first', 'second'])
})

test('of calls with the same tokens those without a message are the ones farther in time', () => {
  const calls = [1, 20, 21, 40].map((second) => call(String(second), second, [100, 10]))
  assert.deepEqual(left(calls, [response(21, 100, 10)]), ['1', '20', '40'])
  assert.deepEqual(left(calls, [response(2, 100, 10), response(39, 100, 10)]), ['20', '21'])
  assert.equal(left(calls, [response(null, 100, 10), response(null, 100, 10)]).length, 2)
})

test('one response accounts for one call', () => {
  const calls = [call('a', 1, [100, 10]), call('b', 2, [100, 10])]
  assert.equal(left(calls, [response(1, 100, 10)]).length, 1)
  assert.deepEqual(left(calls, [response(1, 100, 10), response(2, 100, 10), response(3, 100, 10)]), [])
})

test('a refused call never has a message; one that the client gave up may have its beginning', () => {
  const calls = [call('refused', 1, [0, 0], 429), call('given up', 5, [100, 57], 499)]
  assert.deepEqual(left(calls, [response(1, 0, 0), response(4, 100, 2)]), ['refused'])
})

test('other output tokens match only at about the same time', () => {
  assert.deepEqual(left([call('a', 0, [100, 10])], [response(601, 100, 2)]), ['a'])
  assert.deepEqual(left([call('a', 0, [100, 10])], [response(600, 100, 2)]), [])
})

test('20,000 calls with the same tokens are matched at once', () => {
  const calls = Array.from({ length: 20_000 }, (_, index) => call(String(index), index, [100, 10]))
  const responses = Array.from({ length: 19_990 }, (_, index) => response(index + 5, 100, 10))
  assert.deepEqual(left(calls, responses), [
    '0',
    '1',
    '2',
    '3',
    '4',
    '19995',
    '19996',
    '19997',
    '19998',
    '19999',
  ])
})
