import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FieldFault, faults, invalidField } from '#kernel/errors'

test('the message is made of the path and the reason', () => {
  const fault = invalidField('stream', 'must be true or false')
  assert.deepEqual(fault.body().error, {
    message: 'stream must be true or false.',
    type: 'invalid_request_error',
    param: 'stream',
    code: 'invalid_request',
  })
})

test('renaming reaches the field, the fields in its reason, and nothing else', () => {
  const reason = ['cannot force a call while ', { path: 'reasoning_effort' }, ' is on (reasoning_effort)']
  const fault = invalidField('tool_choice', reason).renamed((path) =>
    path === 'tool_choice' ? path : 'thinking',
  )
  assert.equal(fault.param, 'tool_choice')
  assert.equal(fault.message, 'tool_choice cannot force a call while thinking is on (reasoning_effort).')
})

test('a renamed fault keeps its kind, status, headers, internal text and cause', () => {
  const cause = new Error('runtime')
  const more = { status: 503, code: 'odd', internal: 'for the log', headers: { 'retry-after': '2' }, cause }
  const fault = new FieldFault(faults.provider, 'texts[1]', 'could not be embedded', more)
  const renamed = fault.renamed(() => 'input[1]')
  assert.deepEqual(
    [renamed.message, renamed.type, renamed.status, renamed.code, renamed.internal, renamed.headers],
    ['input[1] could not be embedded.', 'provider_error', 503, 'odd', 'for the log', { 'retry-after': '2' }],
  )
  assert.equal(renamed.cause, cause)
})
