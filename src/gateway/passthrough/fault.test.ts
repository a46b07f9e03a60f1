import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportedFault, responseFault } from './fault.ts'

function faultOf(status: number, body: string, headers: Record<string, string> = {}) {
  return responseFault('OpenAI', { status, body, headers })
}

test('upstream statuses become the statuses of the error table', () => {
  const cases: [upstream: number, status: number, code: string][] = [
    [400, 400, 'provider_error'],
    [402, 402, 'provider_error'],
    [404, 404, 'provider_error'],
    [409, 409, 'provider_error'],
    [413, 413, 'provider_error'],
    [422, 422, 'provider_error'],
    [429, 429, 'rate_limit'],
    [401, 502, 'provider_error'],
    [403, 502, 'provider_error'],
    [500, 502, 'provider_error'],
    [502, 502, 'provider_error'],
    [504, 502, 'provider_error'],
    [503, 503, 'provider_error'],
    [529, 503, 'provider_error'],
    [302, 502, 'provider_error'],
  ]
  for (const [upstream, status, code] of cases) {
    const fault = faultOf(upstream, '{"error":{"message":"no"}}')
    assert.deepEqual([fault.status, fault.code], [status, code], String(upstream))
  }
})

test('a refused provider key is never repeated, neither to the caller nor to the log', () => {
  const body = '{"error":{"message":"Incorrect API key provided: sk-abcde************wxyz."}}'
  const fault = faultOf(401, body)
  assert.equal(fault.message, 'OpenAI refused the stored provider key (status 401).')
  assert.ok(!JSON.stringify([fault.message, fault.internal, fault.body()]).includes('wxyz'))
  const other = faultOf(400, body)
  assert.equal(other.message, 'Incorrect API key provided: [key].')
})

test('a rate limit passes its waiting time and limits on, and no other header', () => {
  const fault = faultOf(429, '{"error":{"message":"slow down"}}', {
    'Retry-After': '7',
    'retry-after-ms': '7000',
    'x-ratelimit-remaining-requests': '0',
    'set-cookie': 'secret',
    'openai-organization': 'org',
  })
  assert.deepEqual(fault.headers, {
    'retry-after': '7',
    'retry-after-ms': '7000',
    'x-ratelimit-remaining-requests': '0',
  })
  assert.equal(fault.message, 'slow down')
})

test('the message is found in every form an error body takes', () => {
  const cases: [string, string][] = [
    ['{"error":{"message":"a","param":"x"}}', 'a'],
    ['{"error":"b"}', 'b'],
    ['{"detail":"c"}', 'c'],
    ['{"detail":[{"msg":"d"},{"msg":"e"}]}', 'd; e'],
    ['{"message":"f"}', 'f'],
    ['[{"error":{"message":"g"}}]', 'g'],
    ['<html>413 Request Entity Too Large</html>', 'OpenAI returned status 422.'],
    ['{"error":', 'OpenAI returned status 422.'],
    ['', 'OpenAI returned status 422.'],
    ['null', 'OpenAI returned status 422.'],
    ['{"error":{"message":5}}', 'OpenAI returned status 422.'],
  ]
  for (const [body, message] of cases) assert.equal(faultOf(422, body).message, message, body)
  assert.equal(faultOf(400, '{"error":{"message":"a","param":"x"}}').param, 'x')
  assert.match(faultOf(502, '<html>bad gateway</html>').internal ?? '', /bad gateway/)
})

test('an error told inside a success keeps the meaning of its code', () => {
  const status = (code: unknown) => reportedFault('X', { error: { message: 'm', code } }).status
  assert.deepEqual(
    [429, 503, 400, 500, 'rate_limit_exceeded', 'server_is_overloaded', null, 'odd', '404'].map(status),
    [429, 503, 400, 502, 429, 503, 502, 502, 404],
  )
})
