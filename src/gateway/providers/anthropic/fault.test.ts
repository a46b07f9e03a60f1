import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anthropic } from './index.ts'

const fault = (status: number, error: object | string, headers: Record<string, string | string[]> = {}) =>
  anthropic.fault({
    status,
    headers,
    body: typeof error === 'string' ? error : JSON.stringify({ type: 'error', error, request_id: 'req_1' }),
  })

test('upstream statuses become the gateway’s own as the table says', () => {
  const table: [upstream: number, status: number, code: string][] = [
    [400, 400, 'provider_error'],
    [401, 502, 'provider_error'],
    [402, 402, 'provider_error'],
    [403, 502, 'provider_error'],
    [404, 404, 'provider_error'],
    [413, 413, 'provider_error'],
    [422, 422, 'provider_error'],
    [429, 429, 'rate_limit'],
    [500, 502, 'provider_error'],
    [502, 502, 'provider_error'],
    [503, 503, 'provider_error'],
    [504, 502, 'provider_error'],
    [529, 503, 'provider_error'],
    [302, 502, 'provider_error'],
  ]
  for (const [upstream, status, code] of table) {
    const made = fault(upstream, { type: 'x', message: 'said upstream' })
    assert.deepEqual([made.status, made.code], [status, code], String(upstream))
    const isKey = upstream === 401 || upstream === 403
    assert.equal(made.message === 'said upstream', !isKey)
  }
})

test('a refused key is reported without the provider’s words, which may quote it', () => {
  const made = fault(401, { type: 'authentication_error', message: 'invalid x-api-key sk-ant-api03-SECRET' })
  assert.equal(made.message, 'Anthropic refused the stored provider key (status 401).')
  assert.doesNotMatch(JSON.stringify(made), /SECRET/)
})

test('a rate limit passes on how long to wait', () => {
  const made = fault(
    429,
    { type: 'rate_limit_error', message: 'slow down' },
    {
      'retry-after': '7',
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': ['2026-11-15T00:00:00Z'],
      'set-cookie': 'private',
      'request-id': 'req_1',
    },
  )
  assert.equal(made.type, 'rate_limit_error')
  assert.deepEqual(made.headers, {
    'retry-after': '7',
    'anthropic-ratelimit-requests-remaining': '0',
    'anthropic-ratelimit-requests-reset': '2026-11-15T00:00:00Z',
    'x-upstream-request-id': 'req_1',
  })
})

test('a body that is not JSON still gives a readable error', () => {
  for (const body of ['', '<html><h1>413 Request Entity Too Large</h1></html>', '"text"', '{"error":"x"}']) {
    const made = fault(413, body)
    assert.equal(made.status, 413)
    assert.equal(made.message, 'Anthropic returned status 413.')
  }
})

test('keys and address queries never appear in a message or in the log text', () => {
  const message =
    'bad call to https://api.anthropic.com/v1/messages?key=CANARY with sk-ant-CANARY and key=CANARY'
  const made = fault(400, { message })
  assert.doesNotMatch(`${made.message} ${made.internal}`, /CANARY/)
})
