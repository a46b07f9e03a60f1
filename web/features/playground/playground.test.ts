import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Model } from '#gateway/contract'
import { ApiError } from '../../api/client.ts'
import { contextInWords, groupModels } from './model-list.ts'
import { playgroundAdvice } from './playground-advice.ts'
import { presentTurns } from './present-turns.ts'
import { bodyOf } from './request-body.ts'
import { noSettings, problemsOf, readSettings } from './settings.ts'
import type { Turn } from './types.ts'

const user = (text: string): Turn => ({ role: 'user', id: 1, text })
const model = (id: string, owned_by: string): Model => ({
  id,
  object: 'model',
  created: 0,
  owned_by,
  name: null,
  context_length: null,
  max_output_tokens: null,
  capabilities: [],
  input_price_per_1m: null,
  output_price_per_1m: null,
  audio_price_per_second: null,
})

test('only what was set is sent', () => {
  assert.deepEqual(bodyOf('claude-x', noSettings, [user('hi')]), {
    model: 'claude-x',
    messages: [{ role: 'user', content: 'hi' }],
  })
  const set = { system: ' Be terse. ', temperature: '0.5', maxTokens: '100', effort: 'low' as const }
  assert.deepEqual(bodyOf('claude-x', set, [user('hi')]), {
    model: 'claude-x',
    messages: [
      { role: 'system', content: 'Be terse.' },
      { role: 'user', content: 'hi' },
    ],
    temperature: 0.5,
    max_tokens: 100,
    reasoning_effort: 'low',
  })
  assert.equal(bodyOf('gpt-x', set, [user('hi')]).max_completion_tokens, 100)
})

test('invalid settings are dropped or reported', () => {
  assert.deepEqual(readSettings({ system: 5, effort: 'huge', temperature: '1' }), {
    ...noSettings,
    temperature: '1',
  })
  assert.deepEqual(readSettings(null), noSettings)
  assert.deepEqual(Object.keys(problemsOf({ ...noSettings, temperature: '3', maxTokens: '0' })), [
    'temperature',
    'maxTokens',
  ])
  assert.deepEqual(problemsOf(noSettings), {})
})

test('the code shows the next request, or the last one', () => {
  const turns = [user('one'), { ...user('yes'), role: 'assistant' } as Turn]
  assert.equal(presentTurns(turns, '').length, 1)
  assert.equal(presentTurns(turns, ' two ').at(-1)?.text, 'two')
  assert.equal(presentTurns([], '').length, 1)
})

test('models match all words and are grouped by provider', () => {
  const models = [model('gpt-5', 'openai'), model('claude-x', 'anthropic'), model('gpt-5-mini', 'openai')]
  assert.deepEqual(
    groupModels(models, 'openai MINI').map((group) => group.models.map(({ id }) => id)),
    [['gpt-5-mini']],
  )
  const many = Array.from({ length: 100 }, (_, index) => model(`a/${index}`, 'openrouter'))
  assert.equal(groupModels(many, '')[0]?.hidden, 40)
  assert.deepEqual([128_000, 1_000_000, 1_048_576].map(contextInWords), ['128K', '1M', '1.05M'])
})

test('an error says where to fix it', () => {
  const advice = (status: number, code: string, param: string | null = null) =>
    playgroundAdvice(new ApiError(status, code, 'No.', param))
  assert.equal(advice(400, 'no_provider_key').place, 'providers')
  assert.equal(advice(502, 'provider_error').place, 'providers')
  assert.equal(advice(401, 'not_authenticated').place, 'sign-in')
  assert.match(advice(400, 'invalid_request', 'temperature').next, /temperature/)
  assert.match(advice(0, 'unreachable').next, /running/)
})
