import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviceFor, isNotAuthenticated } from './advice.ts'
import { ApiError } from './client.ts'

test('an API error keeps the server’s message and adds what to do', () => {
  const advice = adviceFor(new ApiError(403, 'forbidden', 'This requires the role owner.', null))
  assert.equal(advice.title, 'This requires the role owner.')
  assert.match(advice.next, /owner or admin/)
})

test('an unknown code still gets advice, by its status', () => {
  assert.match(adviceFor(new ApiError(502, 'strange', 'Bad.', null)).next, /Try again/)
  assert.match(adviceFor(new ApiError(422, 'strange', 'Bad.', null)).next, /Change the request/)
})

test('a page of an older version asks for a reload', () => {
  const error = new TypeError('Failed to fetch dynamically imported module: /assets/keys.js')
  assert.match(adviceFor(error).next, /newer version/)
})

test('only 401 means that nobody is signed in', () => {
  assert.equal(isNotAuthenticated(new ApiError(401, 'not_authenticated', 'Sign in.', null)), true)
  assert.equal(isNotAuthenticated(new ApiError(403, 'forbidden', 'No.', null)), false)
  assert.equal(isNotAuthenticated(new Error('No.')), false)
})
