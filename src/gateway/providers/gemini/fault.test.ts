import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gemini } from './index.ts'

const fault = (status: number, error: object | string) =>
  gemini.fault({ status, headers: {}, body: typeof error === 'string' ? error : JSON.stringify({ error }) })

test('upstream statuses become the gateway’s own as the table says', () => {
  const table: [upstream: number, status: number, code: string][] = [
    [400, 400, 'provider_error'],
    [401, 502, 'provider_error'],
    [403, 502, 'provider_error'],
    [404, 404, 'provider_error'],
    [409, 409, 'provider_error'],
    [429, 429, 'rate_limit'],
    [499, 502, 'provider_error'],
    [500, 502, 'provider_error'],
    [503, 503, 'provider_error'],
    [504, 502, 'provider_error'],
  ]
  for (const [upstream, status, code] of table) {
    const made = fault(upstream, { code: upstream, message: 'said upstream\n' })
    assert.deepEqual([made.status, made.code], [status, code], String(upstream))
    assert.equal(made.message === 'said upstream', upstream !== 401 && upstream !== 403)
  }
})

test('a bad key that Google calls a bad request is a refused key', () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]
  const made = fault(400, { code: 400, message: 'API key not valid. AIzaSECRET', details })
  assert.equal(made.status, 502)
  assert.match(made.message, /refused the stored provider key/)
  assert.doesNotMatch(JSON.stringify(made), /SECRET/)
})

test('how long to wait is read from the details', () => {
  const wait = (retryDelay: unknown) => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }]
    return fault(429, { code: 429, message: 'quota', details }).headers['retry-after']
  }
  assert.equal(wait('34s'), '34')
  assert.equal(wait('34.07s'), '35')
  assert.equal(wait('soon'), undefined)
  assert.equal(wait(5), undefined)
})

test('the key in a quoted address never appears', () => {
  const message =
    'Error fetching https://generativelanguage.googleapis.com/v1beta/models?alt=sse&key=CANARY: see key=CANARY and AQ.CANARY-1'
  const made = fault(400, { message })
  assert.doesNotMatch(`${made.message} ${made.internal}`, /CANARY/)
  assert.match(made.message, /v1beta\/models/)
})

test('a list around the error, or a body that is not JSON, still gives a readable error', () => {
  assert.equal(fault(404, '[{"error":{"code":404,"message":"no such model"}}]').message, 'no such model')
  for (const body of ['', '<html>', '{"error":7}', 'null']) {
    assert.equal(fault(500, body).message, 'Gemini returned status 500.')
  }
})
